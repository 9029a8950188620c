/// The answers of readers to a file.
#pragma once

#include "seeds.hpp"

#include <weft/core/communicator.hpp>

#include <stdexcept>
#include <string>

namespace weft_test {

/// A reader contradicts itself, or fails with an unexpected exception.
class bad_answer : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Returns all content of a file as text; empty if a reader refuses it. Reads it in several ways, which must
/// agree. Throws: `bad_answer`, and unexpected exceptions of readers.
[[nodiscard]] std::string answer_of(
    weft::communicator const& alone, std::filesystem::path const& file, seed_file const& seed);

} // namespace weft_test
