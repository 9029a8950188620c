/// Files of texts on the command line, of which one may be standard input.
#pragma once

#include "options/input_file.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace weft::tool {

/// The names of files that a reader opens.
class text_inputs {
public:
    /// Collective. Throws: as `input_file`.
    text_inputs(communicator const& comm, std::vector<std::string> const& names) : names_(names) {
        auto const standard_input = std::ranges::find(names_, "-");
        if (standard_input == names_.end()) return;
        copy_.emplace(comm, "-");
        std::ranges::replace(names_, std::string("-"), copy_->path().string());
    }
    [[nodiscard]] std::vector<std::string> const& names() const noexcept { return names_; }

    /// Calls; errors name standard input rather than its copy.
    template <class Call>
    auto naming_it(Call&& call) const {
        return copy_ ? copy_->naming_it(call) : call();
    }

private:
    std::vector<std::string> names_;
    std::optional<input_file> copy_;
};

} // namespace weft::tool
