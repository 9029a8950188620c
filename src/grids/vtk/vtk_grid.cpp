#include <grids/vtk/vtk_grid.hpp>

#include <core/lower_case.hpp>
#include <grids/values/grid_memory.hpp>
#include <grids/views/memory_grid.hpp>
#include <grids/vtk/vtk_complaints.hpp>
#include <grids/vtk/vtk_ghosts.hpp>
#include <grids/vtk/vtk_xml.hpp>
#include <grids/vtk/vtk_xml_grid.hpp>

#include <weft/core/error.hpp>

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkImageData.h>
#include <vtkMatrix3x3.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkRectilinearGrid.h>
#include <vtkSmartPointer.h>
#include <vtkStructuredGrid.h>
#include <vtkUnsignedCharArray.h>
#include <vtkXMLImageDataReader.h>
#include <vtkXMLRectilinearGridReader.h>
#include <vtkXMLStructuredGridReader.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace weft {

namespace {

value_type type_of(vtkDataArray& array, std::string const& where) {
    constexpr bool is_long = sizeof(long) == 8;
    constexpr std::pair<int, value_type> types[] = {{VTK_CHAR, value_type::int8},
        {VTK_SIGNED_CHAR, value_type::int8}, {VTK_UNSIGNED_CHAR, value_type::uint8},
        {VTK_SHORT, value_type::int16}, {VTK_UNSIGNED_SHORT, value_type::uint16},
        {VTK_INT, value_type::int32}, {VTK_UNSIGNED_INT, value_type::uint32},
        {VTK_LONG, is_long ? value_type::int64 : value_type::int32},
        {VTK_UNSIGNED_LONG, is_long ? value_type::uint64 : value_type::uint32},
        {VTK_ID_TYPE, sizeof(vtkIdType) == 8 ? value_type::int64 : value_type::int32},
        {VTK_LONG_LONG, value_type::int64}, {VTK_UNSIGNED_LONG_LONG, value_type::uint64},
        {VTK_FLOAT, value_type::float32}, {VTK_DOUBLE, value_type::float64}};
    for (auto const& [theirs, ours] : types)
        if (theirs == array.GetDataType()) return ours;
    throw usage_error(where + ": cannot use values of type " + array.GetDataTypeAsString());
}

/// The content of a file.
class vtk_file {
public:
    vtk_file(std::filesystem::path const& file, std::string const& variable) : file_(file.string()) {
        vtkSmartPointer<vtkDataSet> const data = load(file);
        auto const [found, at_points] = array_named(*data, variable);
        array = found;
        if (found->GetDataType() == VTK_BIT) { // one byte for each
            array = vtkSmartPointer<vtkUnsignedCharArray>::New();
            array->DeepCopy(found);
        }
        vtkIdType const expected = at_points ? data->GetNumberOfPoints() : data->GetNumberOfCells();
        if (array->GetNumberOfTuples() != expected)
            throw io_error(file_ + ": " + name_of_array(*array) + " has " +
                           std::to_string(array->GetNumberOfTuples()) + " values for " +
                           std::to_string(expected) + (at_points ? " points" : " cells"));
        if (!at_points) check_vtk_xml_cells(file);
        shape.type = type_of(*array, file_ + ": " + name_of_array(*array));
        shape.components = array->GetNumberOfComponents();
        if (auto* const image = vtkImageData::SafeDownCast(data))
            take_axes(*image);
        else if (auto* const straight = vtkRectilinearGrid::SafeDownCast(data))
            take_axes(*straight);
        else if (auto* const structured = vtkStructuredGrid::SafeDownCast(data))
            take_axes(*structured);
        else
            throw io_error(file_ + ": holds a " + data->GetClassName() +
                           "; what can be read is image data, a rectilinear or a structured grid");
        points = shape.points;
        if (!at_points) move_to_cells(shape);
        ghosts.of_points = marks_in(*data->GetPointData(), data->GetNumberOfPoints());
        ghosts.of_cells = marks_in(*data->GetCellData(), data->GetNumberOfCells());
    }

    vtkSmartPointer<vtkDataArray> array;
    grid_shape shape;
    std::array<std::int64_t, 3> points{}; ///< of the file, also if values are at cells
    vtk_ghosts ghosts;

private:
    template <class Reader>
    vtkSmartPointer<vtkDataSet> load_by() {
        vtk_complaints const heard;
        vtkNew<Reader> reader;
        reader->SetFileName(file_.c_str());
        if (auto const text = vtk_xml_without_empty_pieces(file_)) {
            reader->ReadFromInputStringOn();
            reader->SetInputString(*text);
        }
        reader->Update();
        vtkSmartPointer<vtkDataSet> const data = vtkDataSet::SafeDownCast(reader->GetOutputDataObject(0));
        if (heard.first().empty() && reader->GetErrorCode() != 0)
            throw io_error(file_ + ": VTK cannot read it");
        if (!heard.first().empty()) throw io_error(file_ + ": " + in_one_line(heard.first()));
        if (!data || data->GetNumberOfPoints() == 0) throw io_error(file_ + ": VTK finds no grid in it");
        return data;
    }

    vtkSmartPointer<vtkDataSet> load(std::filesystem::path const& file) {
        std::string const suffix = in_lower_case(file.extension().string());
        if (suffix == ".vti") return load_by<vtkXMLImageDataReader>();
        if (suffix == ".vtr") return load_by<vtkXMLRectilinearGridReader>();
        return load_by<vtkXMLStructuredGridReader>();
    }

    [[nodiscard]] std::vector<std::uint8_t> marks_in(vtkDataSetAttributes& arrays, vtkIdType expected) const {
        std::vector<std::uint8_t> marks;
        vtkDataArray* const found = arrays.GetArray(name_of_ghosts.data());
        if (!found) return marks;
        if (found->GetNumberOfTuples() != expected || found->GetNumberOfComponents() != 1)
            throw io_error(file_ + ": " + std::string(name_of_ghosts) + " has " +
                           std::to_string(found->GetNumberOfValues()) + " values, expected " +
                           std::to_string(expected));
        for (vtkIdType i = 0; i < expected; ++i)
            marks.push_back(static_cast<std::uint8_t>(static_cast<unsigned>(found->GetComponent(i, 0))));
        return marks;
    }

    static std::string name_of_array(vtkDataArray& array) {
        return array.GetName() ? array.GetName() : "an array without a name";
    }

    struct named_array {
        vtkDataArray* array;
        bool at_points;
    };

    /// Without a name, chooses arrays at points before those at cells, and the vectors or scalars named by
    /// the file before others.
    named_array array_named(vtkDataSet& data, std::string const& wanted) const {
        std::string all;
        named_array first{nullptr, true};
        for (bool const at_points : {true, false}) {
            vtkDataSetAttributes* const arrays =
                at_points ? static_cast<vtkDataSetAttributes*>(data.GetPointData()) : data.GetCellData();
            for (int i = 0; i < arrays->GetNumberOfArrays(); ++i) {
                vtkDataArray* const array = arrays->GetArray(i);
                if (!array) continue;
                if (!wanted.empty() && name_of_array(*array) == wanted) return {array, at_points};
                if (name_of_array(*array) == name_of_ghosts) continue;
                if (!first.array) first = {array, at_points};
                all += (all.empty() ? "" : ", ") + name_of_array(*array);
            }
            if (!wanted.empty() || !first.array) continue;
            for (vtkDataArray* const each : {arrays->GetVectors(), arrays->GetScalars()})
                if (each && name_of_array(*each) != name_of_ghosts) return {each, at_points};
            return first;
        }
        if (!first.array) throw usage_error(file_ + ": has no values at its points or cells");
        throw usage_error(file_ + ": has no values called '" + wanted + "'; there are " + all);
    }

    void take_axes(vtkImageData& image) {
        int extent[6];
        image.GetExtent(extent);
        for (int d = 0; d < 3; ++d) {
            auto const axis = static_cast<std::size_t>(d);
            shape.points[axis] = extent[2 * d + 1] - extent[2 * d] + 1;
            for (int i = extent[2 * d]; i <= extent[2 * d + 1]; ++i)
                shape.axes[axis].push_back(i * image.GetSpacing()[d]);
            shape.place.origin[axis] = image.GetOrigin()[d];
            for (int e = 0; e < 3; ++e)
                shape.place.matrix[axis][static_cast<std::size_t>(e)] =
                    image.GetDirectionMatrix()->GetElement(d, e);
        }
        straighten(shape, file_);
    }

    void take_axes(vtkRectilinearGrid& grid) {
        vtkDataArray* const all[] = {grid.GetXCoordinates(), grid.GetYCoordinates(), grid.GetZCoordinates()};
        for (std::size_t d = 0; d < 3; ++d) {
            shape.points[d] = all[d]->GetNumberOfTuples();
            for (vtkIdType i = 0; i < all[d]->GetNumberOfTuples(); ++i)
                shape.axes[d].push_back(all[d]->GetComponent(i, 0));
        }
    }

    /// Takes the axes of a structured grid from its first row, column and pillar, if all points agree.
    void take_axes(vtkStructuredGrid& grid) {
        int dims[3];
        grid.GetDimensions(dims);
        vtkIdType const stride[3] = {1, dims[0], static_cast<vtkIdType>(dims[0]) * dims[1]};
        double at[3];
        for (std::size_t d = 0; d < 3; ++d) {
            shape.points[d] = dims[d];
            for (int i = 0; i < dims[d]; ++i) {
                grid.GetPoint(i * stride[d], at);
                shape.axes[d].push_back(at[d]);
            }
        }
        vtkIdType point = 0;
        for (int z = 0; z < dims[2]; ++z)
            for (int y = 0; y < dims[1]; ++y)
                for (int x = 0; x < dims[0]; ++x) {
                    grid.GetPoint(point++, at);
                    int const place[3] = {x, y, z};
                    for (std::size_t d = 0; d < 3; ++d) {
                        double const size = std::abs(shape.axes[d].back() - shape.axes[d].front());
                        if (std::abs(at[d] - shape.axes[d][static_cast<std::size_t>(place[d])]) > 1e-6 * size)
                            return bend("its point (" + std::to_string(x) + ", " + std::to_string(y) + ", " +
                                        std::to_string(z) + ") is not on straight axes");
                    }
                }
    }

    void bend(std::string why) {
        shape.bent = std::move(why);
        number_axes(shape);
    }

    std::string file_;
};

} // namespace

std::unique_ptr<grid_source> open_vtk_grid(
    std::filesystem::path const& file, grid_file_options const& options) {
    check_vtk_xml(file);
    if (auto boxes = open_vtk_xml_grid(file, options)) return boxes;
    vtk_file found(file, options.variable);
    std::span const bytes(static_cast<std::byte const*>(found.array->GetVoidPointer(0)),
        bytes_of(found.shape, points_of(found.shape)));
    grid_mask mask = mask_of(found.ghosts, found.points, found.shape.values_at, options.each_once);
    return with_mask(grid_in_memory(std::move(found.shape), bytes,
                         std::make_shared<vtkSmartPointer<vtkDataArray>>(found.array)),
        std::move(mask), file.string());
}

std::vector<std::string> fields_of_vtk_grid(std::filesystem::path const& file) {
    check_vtk_xml(file);
    return fields_of_vtk_xml(file);
}

} // namespace weft
