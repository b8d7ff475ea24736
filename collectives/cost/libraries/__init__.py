"""What libraries choose: the rules of MPICH, Open MPI and others, and the rows they name."""
