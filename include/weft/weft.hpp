/// The headers of Weft that most applications need. Graphs, files, reductions, timelines, conversion from MPI
/// and parts of engines have headers of their own.
#pragma once

#include <weft/detail/core/language.hpp> // before all others

#include <weft/blocks/block_array.hpp>
#include <weft/blocks/block_set.hpp>
#include <weft/blocks/fill_ghosts.hpp>
#include <weft/blocks/kd_tree.hpp>
#include <weft/blocks/regular_grid.hpp>
#include <weft/collective/gather.hpp>
#include <weft/collective/reduce.hpp>
#include <weft/core/buffer.hpp>
#include <weft/core/communicator.hpp>
#include <weft/core/environment.hpp>
#include <weft/core/error.hpp>
#include <weft/core/ids.hpp>
#include <weft/core/run.hpp>
#include <weft/core/settings.hpp>
#include <weft/core/topology.hpp>
#include <weft/core/version.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/exchange/exchange_plan.hpp>
#include <weft/exchange/inbox.hpp>
#include <weft/exchange/outbox.hpp>
#include <weft/frames/uniform_distribution.hpp>
#include <weft/mailbox/mailbox.hpp>
#include <weft/observe/counters.hpp>
#include <weft/observe/stalls.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>
#include <weft/wire/wire.hpp>
