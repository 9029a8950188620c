"""Runs the command `weft` for a test; tests/harness/leak_detector_again.sh does the same for other programs."""
import os
import subprocess


def run_command(arguments, timeout, environment=(), content=None):
    """The completed process. It reads the bytes `content`, and its outputs are bytes, or they are texts. Under
    sanitizers it starts again where the leak detector itself broke down, and the last time without it: that of
    GCC 12 now and then crashes while it reads another library's thread."""
    environment = {**os.environ, **dict(environment)}
    for more_options in ("", "", "", ":detect_leaks=0"):
        environment["ASAN_OPTIONS"] = environment.get("ASAN_OPTIONS", "") + more_options
        done = subprocess.run([*map(str, arguments)], input=content, capture_output=True,
                              text=content is None, timeout=timeout, env=environment)
        if "LeakSanitizer has encountered a fatal error" not in str(done.stderr):
            break
    return done
