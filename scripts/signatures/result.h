/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SIGNATURES_RESULT_H
#define SIGNATURES_RESULT_H

#include "text.h"

void encode_meaning(struct text *text, const char *function);

#endif
