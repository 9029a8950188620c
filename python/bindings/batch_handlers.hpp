/// What handles the batches of a channel: a function of Python, or an update of an array that never calls
/// back.
#pragma once

#include "call.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace weft::python {

/// Handles items that lie one after the other.
class batch_handler {
public:
    batch_handler() = default;
    batch_handler(batch_handler const&) = delete;
    batch_handler& operator=(batch_handler const&) = delete;
    virtual ~batch_handler() = default;

    virtual void handle(int source, std::span<std::byte const> items) = 0;
    /// Shows the garbage collector the function of Python that this refers to.
    virtual int visit(visitproc, void*) const { return 0; }
};

/// Calls `function(bytes, source)`; the bytes are a copy, which the function may keep. Reports of stalls know
/// it by its name.
[[nodiscard]] std::unique_ptr<batch_handler> make_python_handler(
    communicator const& comm, nb::callable function, std::string const& name);

/// A number inside of an item: where it is, and what it is as numpy says it, as 'i' and 4.
struct item_field {
    std::size_t offset = 0;
    char kind = 'i';
    std::size_t bytes = 0; ///< 0: there is none

    [[nodiscard]] bool is(char of_kind, std::size_t of_bytes) const noexcept {
        return kind == of_kind && bytes == of_bytes;
    }
};

/// How an element of an array is updated: `array[index - first]` by the value of an item, or by 1 where it
/// has none.
struct array_update {
    std::string how; ///< "add", "minimum" or "maximum"
    output_bytes array;
    item_field element; ///< of the array, at offset 0
    item_field index;
    item_field value;
    std::size_t item_bytes = 0;
    std::int64_t first = 0;
};

/// Throws: `usage_error` for a combination that has no code.
[[nodiscard]] std::unique_ptr<batch_handler> make_update_handler(array_update&& update);

/// Merges the numbers of items, field by field.
class field_merger {
public:
    field_merger(std::string const& how, std::vector<item_field> fields);
    void operator()(std::byte* into, std::byte const* from) const {
        for (part const& each : parts_) each.merge(into + each.offset, from + each.offset);
    }

private:
    struct part {
        std::size_t offset;
        void (*merge)(std::byte* into, std::byte const* from);
    };
    std::vector<part> parts_;
};

} // namespace weft::python
