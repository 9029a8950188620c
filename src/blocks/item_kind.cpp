#include <weft/detail/blocks/item_kind.hpp>

#include <weft/core/error.hpp>

#include <string>

namespace weft::detail {

namespace {

/// The list of all kinds. Filled before `main`, or when a shared library is loaded, and otherwise only read:
/// no state of a run (law 5).
constinit known_kind* first_known = nullptr;

} // namespace

known_kind::known_kind(item_type const& print, std::type_info const& type) noexcept
    : print_(print), type_(type), next_(first_known) {
    first_known = this;
    look_for_others();
    for (known_kind* each = next_; each != nullptr; each = each->next_)
        if (each->clashes_with(*this)) each->other_ = this;
}

known_kind::~known_kind() {
    known_kind** at = &first_known;
    while (*at != this) at = &(*at)->next_;
    *at = next_;
    for (known_kind* each = first_known; each != nullptr; each = each->next_)
        if (each->other_ == this) each->look_for_others();
}

/// Type infos are equal for one type in two shared libraries, and differ for types of anonymous namespaces.
bool known_kind::clashes_with(known_kind const& other) const noexcept {
    return print_.number == other.print_.number && type_ != other.type_;
}

void known_kind::look_for_others() noexcept {
    other_ = nullptr;
    for (known_kind const* each = first_known; each != nullptr; each = each->next_)
        if (clashes_with(*each)) other_ = each;
}

void known_kind::refuse() const {
    if (print_.name == other_->print_.name)
        throw usage_error("blocks: two types of items have one name and size, " + to_string(print_) +
                          ", in two files; give one of them another name");
    throw usage_error("blocks: the types of items " + to_string(print_) + " and " +
                      to_string(other_->print_) +
                      " cannot be told apart by the hash of their names; give one of them another name");
}

} // namespace weft::detail
