/// A set of blocks that are objects of Python.
#pragma once

#include "object_value.hpp"

#include <weft/blocks/block_set.hpp>
#include <weft/core/error.hpp>

#include <memory>

namespace weft::python {

using block_objects = block_set<object_value>;

/// A set until it is closed, which is before MPI ends.
class open_blocks {
public:
    explicit open_blocks(std::unique_ptr<block_objects> set) : set_(std::move(set)) {}
    ~open_blocks() { close(); }
    open_blocks(open_blocks const&) = delete;
    open_blocks& operator=(open_blocks const&) = delete;

    [[nodiscard]] block_objects& get() const {
        if (!set_) throw usage_error("blocks: the set was closed");
        return *set_;
    }
    void close() {
        if (!set_) return;
        library_call const call;
        set_.reset();
    }

private:
    std::unique_ptr<block_objects> set_;
};

void bind_block_reductions(nb::class_<open_blocks>& bound);

} // namespace weft::python
