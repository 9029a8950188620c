"""As program.cpp's `hang`, in Python: rank 1 stays in its own code, the others wait in a sum."""
import time

import weft


def stay_in_user_code():
    while True:
        time.sleep(0.01)  # line: user code


def main():
    comm = weft.Communicator()
    weft.all_reduce(comm, comm.rank)
    if comm.rank == 0:
        print("all have summed once", flush=True)
    if comm.rank == 1:
        stay_in_user_code()
    weft.all_reduce(comm, comm.rank)  # line: sum


main()
