/* One MPI collective, and the seconds until the last rank has left it: smpi_record.py runs it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int ranks, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int bytes = atoi(argv[2]), block = bytes / ranks; /* of the full vector, as MPI counts them */
    char *in = calloc(bytes, 1), *out = calloc(bytes, 1);
    if (argc != 3 || !in || !out)
        return 1;
    double spent, longest, start = MPI_Wtime();
    if (!strcmp(argv[1], "allreduce"))
        MPI_Allreduce(in, out, bytes, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
    else if (!strcmp(argv[1], "allgather"))
        MPI_Allgather(in, block, MPI_BYTE, out, block, MPI_BYTE, MPI_COMM_WORLD);
    else if (!strcmp(argv[1], "alltoall"))
        MPI_Alltoall(in, block, MPI_BYTE, out, block, MPI_BYTE, MPI_COMM_WORLD);
    else if (!strcmp(argv[1], "bcast"))
        MPI_Bcast(in, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    else
        return 1;
    spent = MPI_Wtime() - start;
    MPI_Reduce(&spent, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (!rank)
        printf("seconds %.17g\n", longest);
    MPI_Finalize();
    return 0;
}
