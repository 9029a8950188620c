#include "plot_simulation.hpp"

#include "plot_simulation_script.hpp"

#include <weft/core/error.hpp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace weft::tool {

namespace {

/// In single quotes, as a shell wants it.
std::string quoted(std::string const& text) {
    std::string made = "'";
    for (char const c : text) made += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return made + "'";
}

/// A file that is gone at the end.
class scratch_file {
public:
    explicit scratch_file(std::string const& text) {
        std::string name = (std::filesystem::temp_directory_path() / "weft-plot-XXXXXX").string();
        int const opened = mkstemp(name.data());
        if (opened < 0) throw io_error(name + ": cannot be written");
        close(opened);
        path_ = name;
        std::ofstream(path_) << text;
    }
    ~scratch_file() { std::remove(path_.c_str()); }
    scratch_file(scratch_file const&) = delete;
    scratch_file& operator=(scratch_file const&) = delete;

    [[nodiscard]] std::string const& path() const noexcept { return path_; }

private:
    std::string path_;
};

} // namespace

void plot_simulation(std::string const& csv, std::string const& file) {
    scratch_file const script(plot_simulation_script);
    std::string const command = "python3 " + quoted(script.path()) + " " + quoted(file);
    std::FILE* const pipe = popen(command.c_str(), "w");
    bool good = pipe != nullptr;
    if (good) {
        good = std::fwrite(csv.data(), 1, csv.size(), pipe) == csv.size();
        good = pclose(pipe) == 0 && good;
    }
    if (!good)
        throw io_error(file + ": was not drawn; --plot needs python3 and python3-matplotlib (apt install "
                              "python3-matplotlib), and --csv writes the same numbers");
}

} // namespace weft::tool
