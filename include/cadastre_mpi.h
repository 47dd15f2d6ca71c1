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

/** Writes one report on the memory of all ranks of a communicator: the least, mean, most and sum over ranks, and where
 * there are several also over nodes, of live bytes and of high-water marks (peak) of each memory type, and of resident
 * memory; which rank has the most, and on which host; ranks whose high-water mark is above 1.5 times the mean; refused
 * requests; and what the rank with the most live bytes of a memory type holds, by label.
 *
 * It is collective: each rank of the communicator calls it, as any collective function of MPI, and rank 0 writes. A
 * rank whose process has no context takes part; its figures are 0, or those of contexts that were destroyed. The
 * figures of a rank are those of its process (CADASTRE_PROCESS), each rank's of a moment of its own.
 *
 * HOST and PINNED memory, and what is resident, are also shown as shares of the memory of the node: of what RAM and
 * control groups allow; for a rank with a limit of its address space (RLIMIT_AS) that limit, and the node's is then not
 * known. DEVICE memory is shown as a share of the memory of the devices that the rank, or the ranks of the node, have
 * used. The high-water mark of a node is the sum of those of its ranks, which may be of different moments. UVM memory
 * may be on either side, and has no share.
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
 *   Some ten collective calls with messages of a fixed size; on each rank with the most of a memory type also that of
 *   cadastre_report(). */
CADASTRE_API cadastre_exit_code cadastre_report_mpi(MPI_Comm communicator, FILE* file);

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

/** Returns what was wrong in the last call of cadastre_report_mpi() or cadastre_report_mpi_to_file_f() by this thread.
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
