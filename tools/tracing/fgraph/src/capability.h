/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FGRAPH_CAPABILITY_H
#define FGRAPH_CAPABILITY_H

/* The name of a capability, such as "CAP_NET_RAW" of "13", or NULL if there is none. */
const char *capability_name(const char *number);

#endif
