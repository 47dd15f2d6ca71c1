/* Tangled from org/adapters/mpi_interface.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * A report on the memory of all ranks of an MPI communicator. Link with -lcadastre_mpi, and with the MPI that it was
 * built with.
 *
 * Usable from C99 and C++17. Fortran has the module cadastre_mpi.
 *
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CADASTRE_MPI_H
#define CADASTRE_MPI_H

#include <mpi.h>
#include <stdio.h>

#include "cadastre.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @name Reports of an MPI program
 * @{ */

/** Writes one report on the memory of all ranks of a communicator: the minimum, mean, maximum and sum over ranks, and
 * where there are several also over nodes, of live bytes and of high-water marks (peak) of each memory type, of all of
 * them together where several were used, and of resident memory; which rank has the maximum, and on which host; ranks
 * whose high-water mark is above 1.5 times the mean; refused requests; what the rank with the most live bytes of a
 * memory type holds, by label; and what the rank with the highest peak held then. Who held a peak is known to a
 * hundredth of it, where CADASTRE_BLACKBOX or CADASTRE_REPORT_ON is set in the environment of that rank; elsewhere it is
 * known where as much lives now.
 *
 * It is collective: each rank of the communicator calls it, as any collective function of MPI, and rank 0 writes. A
 * rank whose process has no context takes part; its figures are 0, or those of contexts that were destroyed. The
 * figures of a rank are those of its process (CADASTRE_PROCESS), each rank's of a moment of its own.
 *
 * HOST and PINNED memory, and what is resident, are also shown as shares of the memory of the node: of what RAM and
 * control groups allow; for a rank with a limit of its address space (RLIMIT_AS) that limit, and the node's is then not
 * known. DEVICE memory is shown as a share of the memory of the devices that the rank, or the ranks of the node, have
 * used. The high-water mark of a node is the sum of those of its ranks, which may be of different moments, as is that of
 * all memory types together. UVM memory may be on either side and has no share, nor have all types together.
 *
 * Messages are sent on duplicates of the communicator, and never meet those of the program. The call of MPI that
 * duplicates it has the caller's error handler; an error of any later call of MPI is CADASTRE_FAILURE, whatever handler
 * is set. The amount of memory that a rank needs for messages does not depend on the number of ranks. The text is
 * plain, and nothing in it moves the cursor of a terminal.
 *
 * On failure, all ranks return the same exit code and have the same message; those that are marked with * are found on
 * the calling rank alone, before any message is sent.
 *
 * @param communicator  an intracommunicator
 * @param file  an open stdio stream; not NULL on rank 0 of the communicator, where it is flushed and stays open;
 *   ignored on all other ranks, which may pass NULL
 * @retval CADASTRE_SUCCESS  the report is written
 * @retval CADASTRE_INVALID_ARG_1  * MPI_COMM_NULL, or an intercommunicator
 * @retval CADASTRE_INVALID_ARG_2  NULL on rank 0
 * @retval CADASTRE_NOT_SUPPORTED  * MPI is not initialized, or was finalized, or does not allow calls of this thread
 * @retval CADASTRE_ERRNO  writing to the stream failed; part of the report may have been written
 * @retval CADASTRE_ALLOCATION_FAILED  no host memory on one of the ranks
 * @retval CADASTRE_FAILURE  MPI reports an error; other ranks may then wait for this one
 * @par Threads
 *   One that MPI allows to call it: with MPI_THREAD_SINGLE and MPI_THREAD_FUNNELED the main thread of MPI. Not from a
 *   handler of signals.
 * @par Cost
 *   Some ten collective calls with messages of a fixed size, below 24 KiB; on each rank with the most of a memory type
 *   also that of cadastre_report(). */
CADASTRE_API cadastre_exit_code cadastre_report_mpi(MPI_Comm communicator, FILE* file);

/** Does as cadastre_report_mpi(), in a format that is chosen. The JSON form has a schema_version, and one line; its fields
 * are described in the chapter mpi_json.
 *
 * @param communicator,file  as for cadastre_report_mpi()
 * @param format  CADASTRE_REPORT_TEXT or CADASTRE_REPORT_JSON on rank 0; ignored on all other ranks
 * @retval CADASTRE_SUCCESS  the report is written
 * @retval CADASTRE_INVALID_ARG_3  unknown format on rank 0
 * @retval CADASTRE_INVALID_ARG_1,CADASTRE_INVALID_ARG_2,CADASTRE_NOT_SUPPORTED,CADASTRE_ERRNO,CADASTRE_ALLOCATION_FAILED,CADASTRE_FAILURE
 *   as for cadastre_report_mpi()
 * @par Threads
 *   As cadastre_report_mpi().
 * @par Cost
 *   As cadastre_report_mpi(). */
CADASTRE_API cadastre_exit_code cadastre_report_mpi_format(MPI_Comm communicator, FILE* file, cadastre_report_format format);

/** What a figure comes to over the ranks of a communicator, or over their nodes. */
typedef struct cadastre_mpi_spread_struct {
  uint64_t minimum;     /**< bytes or requests of the rank or node that has the least */
  uint64_t mean;        /**< the arithmetic mean, rounded down */
  uint64_t maximum;     /**< of the one that has the most */
  uint64_t sum;         /**< of all */
  double minimum_share; /**< the smallest share of the memory that it is a part of, of 1; negative when unknown */
  double mean_share;    /**< the mean of the shares; likewise */
  double maximum_share; /**< the largest; likewise */
  double sum_share;     /**< of the memory of all nodes together; likewise */
  int32_t minimum_rank; /**< the first rank of the communicator that has the minimum; of a node, its first rank */
  int32_t maximum_rank; /**< the same for the maximum */
} cadastre_mpi_spread_struct;

/** What the ranks of a communicator have of one memory type, or of all together. */
typedef struct cadastre_mpi_statistics_struct {
  size_t struct_size;                             /**< sizeof(cadastre_mpi_statistics_struct) */
  int32_t ranks;                                  /**< how many there are */
  int32_t nodes;                                  /**< how many there are */
  int32_t outliers;                               /**< ranks whose high-water mark is above 1.5 times the mean */
  int32_t unread_ranks;                           /**< ranks that could not read all their figures, which count as 0 */
  uint64_t memory_bytes;                          /**< what all nodes have for the type; 0 when unknown, and for UVM and all types */
  cadastre_mpi_spread_struct live;                /**< of ranks: live_bytes */
  cadastre_mpi_spread_struct peak;                /**< of ranks: high_water_mark_bytes */
  cadastre_mpi_spread_struct refused;             /**< of ranks: failed_allocations, which have no shares */
  cadastre_mpi_spread_struct resident;            /**< of ranks: memory of the process that is resident, of whatever type was asked */
  cadastre_mpi_spread_struct most_resident;       /**< of ranks: the most that was */
  cadastre_mpi_spread_struct nodes_live;          /**< of nodes: the sums of their ranks' live_bytes; so on */
  cadastre_mpi_spread_struct nodes_peak;          /**< which may be of different moments */
  cadastre_mpi_spread_struct nodes_refused;       /**< requests */
  cadastre_mpi_spread_struct nodes_resident;      /**< bytes */
  cadastre_mpi_spread_struct nodes_most_resident; /**< which may be of different moments */
} cadastre_mpi_statistics_struct;

/** Initializer. */
static const cadastre_mpi_statistics_struct cadastre_mpi_statistics_struct_zero = {sizeof(cadastre_mpi_statistics_struct),
                                                                                   0,
                                                                                   0,
                                                                                   0,
                                                                                   0,
                                                                                   0,
    {0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
        {0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
        {0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
        {0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
        {0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0}};

/** Writes what the ranks of a communicator have of one memory type, the same on all ranks, so that all may decide alike.
 *
 * It is collective, as cadastre_report_mpi() is, which has the same figures. Ranks may ask for different types.
 *
 * @param communicator  as for cadastre_report_mpi()
 * @param type  a memory type, or CADASTRE_ALL_MEMORY_TYPES for the sums of all types
 * @param statistics  where to write; not NULL
 * @retval CADASTRE_SUCCESS  the statistics are written
 * @retval CADASTRE_INVALID_ARG_2  neither a memory type nor CADASTRE_ALL_MEMORY_TYPES on one of the ranks
 * @retval CADASTRE_INVALID_ARG_3  NULL, or an unknown struct_size, on one of the ranks
 * @retval CADASTRE_INVALID_ARG_1,CADASTRE_NOT_SUPPORTED,CADASTRE_ALLOCATION_FAILED,CADASTRE_FAILURE
 *   as for cadastre_report_mpi()
 * @par Threads
 *   As cadastre_report_mpi().
 * @par Cost
 *   As cadastre_report_mpi(), without what lives by label; what rank 0 has added up is broadcast. */
CADASTRE_API cadastre_exit_code cadastre_get_statistics_mpi(MPI_Comm communicator, cadastre_memory_type type,
                                                            cadastre_mpi_statistics_struct* statistics);

/** Does as cadastre_report_mpi(), for the Fortran module: rank 0 opens the file itself.
 *
 * @param communicator  the handle of a communicator in Fortran
 * @param filename  the file that rank 0 replaces; NULL for the output of its process; ignored on all other ranks
 * @retval CADASTRE_SUCCESS  the report is written
 * @retval CADASTRE_INVALID_ARG_1,CADASTRE_NOT_SUPPORTED,CADASTRE_ALLOCATION_FAILED,CADASTRE_FAILURE  as for
 *   cadastre_report_mpi()
 * @retval CADASTRE_ERRNO  the file cannot be opened or written
 * @par Cost
 *   As cadastre_report_mpi(). */
CADASTRE_API cadastre_exit_code cadastre_report_mpi_to_file_f(MPI_Fint communicator, const char* filename);

/** Does as cadastre_report_mpi_to_file_f(), in a format that is chosen.
 *
 * @param communicator,filename  as for cadastre_report_mpi_to_file_f()
 * @param format  as for cadastre_report_mpi_format()
 * @retval CADASTRE_SUCCESS  the report is written
 * @retval CADASTRE_INVALID_ARG_1,CADASTRE_INVALID_ARG_3,CADASTRE_NOT_SUPPORTED,CADASTRE_ERRNO,CADASTRE_ALLOCATION_FAILED,CADASTRE_FAILURE
 *   as for cadastre_report_mpi_format()
 * @par Cost
 *   As cadastre_report_mpi(). */
CADASTRE_API cadastre_exit_code cadastre_report_mpi_format_to_file_f(MPI_Fint communicator, const char* filename,
                                                                     cadastre_report_format format);

/** Does as cadastre_get_statistics_mpi(), for the Fortran module.
 *
 * @param communicator  the handle of a communicator in Fortran
 * @param type,statistics  as for cadastre_get_statistics_mpi()
 * @retval CADASTRE_SUCCESS  the statistics are written
 * @retval CADASTRE_INVALID_ARG_1,CADASTRE_INVALID_ARG_2,CADASTRE_INVALID_ARG_3,CADASTRE_NOT_SUPPORTED,CADASTRE_ALLOCATION_FAILED,CADASTRE_FAILURE
 *   as for cadastre_get_statistics_mpi()
 * @par Cost
 *   As cadastre_get_statistics_mpi(). */
CADASTRE_API cadastre_exit_code cadastre_get_statistics_mpi_f(MPI_Fint communicator, cadastre_memory_type type,
                                                              cadastre_mpi_statistics_struct* statistics);

/** Returns what was wrong in the last of these calls by this thread.
 *
 * @return the message, which also says what would be right; "" where the call succeeded or there was none. It is
 *   valid until the next call
 * @par Cost
 *   O(1). */
CADASTRE_API const char* cadastre_mpi_last_error_message(void);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
