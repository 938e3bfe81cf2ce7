/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FGRAPH_WHY_H
#define FGRAPH_WHY_H

#include "session.h"

/*
 * Which system calls failed. With options.in, only failures whose way through that function was
 * recorded are shown.
 */
extern const struct question why_question;

#endif
