/// What readers make of a file.
#pragma once

#include "seeds.hpp"

#include <weft/core/communicator.hpp>

#include <stdexcept>
#include <string>

namespace weft_test {

/// A reader that contradicts itself, or complains in another way than it should.
class bad_answer : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Everything that a file says, as text; empty where a reader refuses it. Reads it in several ways, which
/// must agree. Throws: `bad_answer`; whatever a reader should not throw.
[[nodiscard]] std::string answer_of(
    weft::communicator const& alone, std::filesystem::path const& file, seed_file const& seed);

} // namespace weft_test
