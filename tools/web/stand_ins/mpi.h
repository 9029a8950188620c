// The names that the engines' headers mention; no call is made.
#pragma once

typedef void* MPI_Comm;
