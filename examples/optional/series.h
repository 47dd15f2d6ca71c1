/* Tangled from org/examples/optional_series.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* A small library that is built with Cadastre or without it: series of numbers.
 *
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SERIES_H
#define SERIES_H

#include <stddef.h>
#include <stdio.h>

typedef struct series series;

/* A series without numbers; NULL if there is no memory. */
series* series_create(void);
void series_destroy(series* s);

/* These return 0, or a code that is not 0, and then series_message says why. A failure changes nothing. */
int series_reserve(series* s, size_t count); /* memory for so many numbers */
int series_append(series* s, double number);
int series_smooth(series* s);               /* each number becomes the mean of itself and its neighbours */
int series_report(series* s, FILE* stream); /* what the memory is used for */

size_t series_count(const series* s);
double series_at(const series* s, size_t i);
const char* series_message(series* s); /* of the last failure; valid until the next call */

/* Where a copy on a device would be, for a program that computes there; NULL if there is no device. */
void* series_device_copy(series* s);

#endif
