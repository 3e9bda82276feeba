/* SPDX-License-Identifier: Apache-2.0 */
/* All-reduce of floats over MPI: arguments are <bytes>:<calls>:<warm-ups>; rank 0 prints <bytes> <mean us> <best us> <first us>. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define BATCHES 5

static double batch(float *in, float *out, int count, int calls) {
    double start = MPI_Wtime();
    for (int i = 0; i < calls; i++) {
        MPI_Allreduce(in, out, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    }
    return (MPI_Wtime() - start) * 1e6 / calls;
}

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int arg = 1; arg < argc; arg++) {
        long bytes;
        int calls, warm_ups;
        if (sscanf(argv[arg], "%ld:%d:%d", &bytes, &calls, &warm_ups) != 3) {
            fprintf(stderr, "%s: not <bytes>:<calls>:<warm-ups>\n", argv[arg]);
            MPI_Abort(MPI_COMM_WORLD, 2);
        }
        int count = (int) (bytes / sizeof(float));
        float *in = calloc(count, sizeof(float));
        float *out = calloc(count, sizeof(float));
        double sum = 0, best = 0;
        double first = batch(in, out, count, calls);
        for (int i = 1; i < warm_ups; i++) {
            batch(in, out, count, calls);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 0; i < BATCHES; i++) {
            double micros = batch(in, out, count, calls);
            sum += micros;
            best = i == 0 || micros < best ? micros : best;
        }
        if (rank == 0) {
            printf("%ld %.2f %.2f %.2f\n", bytes, sum / BATCHES, best, first);
            fflush(stdout);
        }
        free(in);
        free(out);
    }
    MPI_Finalize();
    return 0;
}
