#include <weft/wire/type_print.hpp>

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace weft::detail {

std::uint64_t type_print_of(std::type_info const& type, std::size_t bytes) noexcept {
    std::uint64_t const print = hash_on(hash_on(hash_start, std::string_view(type.name())), bytes);
    return print == 0 ? 1 : print;
}

std::string type_text_of(std::type_info const& type, std::size_t bytes) {
    int status = 0;
    std::unique_ptr<char, void (*)(void*)> const name(
        abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), &std::free);
    return std::string(name ? name.get() : type.name()) + " (" + std::to_string(bytes) +
           (bytes == 1 ? " byte)" : " bytes)");
}

} // namespace weft::detail
