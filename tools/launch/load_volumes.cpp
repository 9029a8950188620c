#include "launch/volume_module.hpp"

#include "launch/launch.hpp"

#include <weft/core/error.hpp>

#include <dlfcn.h>

#include <filesystem>

namespace weft::tool {

namespace {

volume_module const& loaded() {
    std::filesystem::path const here = std::filesystem::path(this_executable()).parent_path();
    std::filesystem::path file = here / "weft-volumes.so";
    if (!std::filesystem::exists(file)) file = (here / WEFT_VOLUMES_FROM_BIN).lexically_normal();
    void* const module = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* const entry = module != nullptr ? ::dlsym(module, volume_module_entry) : nullptr;
    if (entry == nullptr)
        throw io_error(
            "cannot load a part of this command: " + std::string(::dlerror()) + "; install Weft again");
    return *reinterpret_cast<volume_module const* (*)()>(entry)();
}

} // namespace

volume_module const& load_volumes() {
    static volume_module const& module = loaded();
    return module;
}

} // namespace weft::tool
