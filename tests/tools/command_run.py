"""Runs the command `weft` for a test."""
import os
import subprocess


def run_command(arguments, timeout, environment=(), content=None):
    """The completed process. It reads the bytes `content`, and its outputs are bytes, or they are texts. Sanitizers report
    places without names, which take longer to read from the program than most commands run; where they report something,
    the command runs again, and its errors with names are those of the process."""
    def run(symbolize):
        of_sanitizers = f"{os.environ.get('ASAN_OPTIONS', '')}:symbolize={symbolize}"
        return subprocess.run([*map(str, arguments)], input=content, capture_output=True, text=content is None,
                              timeout=timeout, env={**os.environ, **dict(environment), "ASAN_OPTIONS": of_sanitizers})

    done = run(symbolize=0)
    if "Sanitizer: " in str(done.stderr):
        done.stderr += run(symbolize=1).stderr
    return done
