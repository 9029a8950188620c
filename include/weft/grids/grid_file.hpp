/// Values on a grid of points, read box by box from files of many formats.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/detail/core/owned.hpp>
#include <weft/grids/grid_shape.hpp>

#include <bit>
#include <span>

namespace weft {

class grid_source; // src/grids/grid_source.hpp: a reader of one format

/// Options of reading: facts that the file does not contain, and the part to read; equal on all ranks.
/// Error messages show the names of options between backticks.
struct grid_file_options {
    /// Number of points along x, y and z of a raw file, whose values are stored with x running fastest.
    std::array<std::int64_t, 3> dims{};
    /// Type of the values of a raw file.
    std::optional<value_type> type = {};
    /// Byte order of the values of a raw file. Default: the byte order of this machine.
    std::optional<std::endian> byte_order = {};
    /// Bytes of a raw file before its values.
    std::int64_t header_bytes = 0;
    /// Number of values at each point of a raw file, stored together.
    int components = 1;
    /// True if the last index of an array (NumPy, HDF5) counts the two or three components of vectors.
    bool vectors = false;
    /// Arrays of a VTK file or variables of a NetCDF file, separated by commas: one name, or a name for each
    /// component; an empty name means that the component is zero. Default: the first suitable array or
    /// variable.
    std::string variable = {};
    /// The time step to read from a NetCDF variable over time, x, y and z; -1: time is read as an axis of the
    /// grid.
    std::int64_t step = -1;
    /// The channel of an image: red, green, blue, alpha, or its number from 0. An image with one channel
    /// needs no name.
    std::string channel = {};
    /// True to leave out points of a VTK grid that another piece also has, so that each point counts once.
    bool each_once = false;
};

/// A file with values on a grid. All ranks open the file, and each rank reads the boxes that it needs. `T`
/// may be any integer of 8 to 64 bits, float or double, whatever the type of the values in the file.
///
/// \code
/// weft::grid_file file{comm, "brain.nii.gz"};
/// weft::regular_grid const grid(points_of(file.shape()), comm.size());
/// auto const values = file.read<float>(grid.bounds(weft::block_id{comm.rank()}));
/// \endcode
class grid_file {
public:
    /// Opens a file by the ending of its name; docs/inputs.md lists the formats. `FILE.h5:/path` is a dataset
    /// of HDF5; a folder, or a pattern such as `frames/*.tif`, is a stack of images along z.
    ///
    /// Collective: yes. Blocks: until all ranks have opened the file. Cost: every rank opens the file and
    /// reads its header; one small all-reduce. Throws: `io_error` for a file that cannot be read or breaks
    /// its format; `usage_error` if an option is missing, does not apply to this format, or names a variable
    /// that does not exist; both on all ranks.
    grid_file(communicator const& comm, std::string const& file, grid_file_options const& options = {});
    /// Opens the images of several files as a stack along z, in the given order. All else is the same as for
    /// the constructor for one file.
    grid_file(communicator const& comm, std::vector<std::string> const& images,
        grid_file_options const& options = {});

    /// Returns the shape of the grid, the same on all ranks. Local.
    [[nodiscard]] grid_shape const& shape() const noexcept;

    /// Returns the values at the points of this rank's boxes, one box after the other, with x running fastest
    /// and the components of a point together. A rank may have no box, and boxes may overlap. Values are
    /// converted to `T`: a real type gets the nearest number; an integer type must be able to represent the
    /// value.
    ///
    /// Collective: yes. Blocks: until all ranks have read their boxes. Cost: each rank reads from the file
    /// itself; memory for a second copy of a box if `T` is not the type of the file; one small all-reduce.
    /// Throws: `io_error` if the file cannot be read; `usage_error` for a box that reaches beyond the grid,
    /// and for a value that the integer type cannot represent; each on all ranks.
    template <class T>
    [[nodiscard]] std::vector<T> read(std::span<box<std::int64_t> const> mine);
    /// Reads one box on each rank, as `read` of several boxes.
    template <class T>
    [[nodiscard]] std::vector<T> read(box<std::int64_t> const& mine) {
        return read<T>(std::span<box<std::int64_t> const>(&mine, 1));
    }

    /// Reads one box into memory of the caller, on this rank alone. Use `read_here` if ranks read at
    /// different times. Local. Throws: as `read`, but on this rank only; also `usage_error` if the length of
    /// `into` is not the number of values in the box. Call `read_here` inside `agreed`, or in the callback
    /// that makes the blocks of a `block_set`, so that all ranks learn of errors.
    template <class T>
    void read_here(box<std::int64_t> const& points, std::span<T> into);

private:
    communicator comm_;
    std::string name_;
    detail::owned<grid_source> source_;
};

} // namespace weft
