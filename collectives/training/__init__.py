"""What training costs: gradients, overlap, scaling, sharded and parallel schemes, compression."""
