"""Runs the command `weft` for a test; tests/harness/leak_detector_again.sh does the same for other programs."""
import os
import subprocess


def run_command(arguments, timeout, environment=()):
    """The completed process. Under sanitizers it starts again where the leak detector itself broke down, and the
    last time without it: that of GCC 12 now and then crashes while it reads another library's thread."""
    environment = {**os.environ, **dict(environment)}
    for more_options in ("", "", "", ":detect_leaks=0"):
        environment["ASAN_OPTIONS"] = environment.get("ASAN_OPTIONS", "") + more_options
        done = subprocess.run([*map(str, arguments)], capture_output=True, text=True, timeout=timeout, env=environment)
        if "LeakSanitizer has encountered a fatal error" not in done.stderr:
            break
    return done
