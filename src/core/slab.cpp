// Tangled from org/slab.org; change the chapter, then run: make tangle
#include "core/slab.hpp"

#include <new>

#include "core/own_memory.hpp"
#include "core/page_map.hpp"

namespace cadastre::internal {

namespace {

constinit Mutex<Rank::slabs> spare_mutex;
constinit Slab* spare_slabs CADASTRE_GUARDED_BY(spare_mutex) = nullptr;

Slab* take_description() noexcept {
  const Locked locked(spare_mutex);
  if (!spare_slabs) {
    constexpr std::size_t at_once = 32;
    auto* const fresh = static_cast<Slab*>(take_own(at_once * sizeof(Slab)));
    if (!fresh) return nullptr;
    for (std::size_t number = at_once; number-- > 0;) {
      Slab* const slab = ::new (fresh + number) Slab;
      slab->next = spare_slabs;
      spare_slabs = slab;
    }
  }
  Slab* const slab = spare_slabs;
  spare_slabs = slab->next;
  return slab;
}

void give_description(Slab& slab) noexcept {
  const Locked locked(spare_mutex);
  slab.next = spare_slabs;
  spare_slabs = &slab;
}

}  // namespace

bool Slab::extend() noexcept {
  const unsigned at_once = size >= page_bytes ? 1 : page_bytes / size;
  const unsigned end = std::min<unsigned>(touched + at_once, blocks);
  if (end == touched || damaged) return false;
  const std::uint64_t word = zeroed ? BlockWord::zero : 0;
  BlockPlace next_place = no_place;
  for (unsigned number = end; number-- > touched;) {
    records[number].word.store(word | std::uint64_t{next_place} << BlockWord::next_shift, std::memory_order_relaxed);
    next_place = static_cast<BlockPlace>(number * sizeof(BlockRecord));
  }
  touched = static_cast<std::uint16_t>(end);
  first_free = next_place;
  return true;
}

void Slab::drain() noexcept {
  for (BlockPlace place = remote.take(); place != no_place;) {
    BlockRecord& record = record_at(place);
    const std::uint64_t word = record.word.load(std::memory_order_relaxed);
    put(record, place, word & ~BlockWord::next_bits);
    place = BlockWord::next(word);
  }
}

bool Slab::check_invariants() const noexcept {
  unsigned live = 0, free = 0, chained = 0, far = 0;
  for (unsigned number = 0; number < blocks; ++number) {
    const std::uint64_t word = records[number].word.load(std::memory_order_relaxed);
    const bool used_now = BlockWord::is_taken(word);
    if (BlockWord::is_there(word) && (word & BlockWord::freed)) return false;
    if (number >= touched && used_now) return false;
    if (BlockWord::size(word) > size) return false;
    (used_now ? live : free) += 1;
  }
  for (BlockPlace place = first_free; place != no_place; place = BlockWord::next(record_at(place).word.load(std::memory_order_relaxed))) {
    if (place / sizeof(BlockRecord) >= touched || ++chained > blocks) return false;
    if (BlockWord::is_taken(record_at(place).word.load(std::memory_order_relaxed))) return false;
  }
  for (BlockPlace place = remote.first(); place != no_place;
       place = BlockWord::next(record_at(place).word.load(std::memory_order_relaxed))) {
    if (place / sizeof(BlockRecord) >= touched || ++far > blocks) return false;
  }
  return live + free == blocks && live + far == used && chained + far + live == touched && std::size_t{blocks} * size == steps * class_step;
}

Slab* make_slab(Arena& arena, SizeClass size_class, unsigned slabs_before, Shard& owner, cadastre_context context) noexcept {
  const SlabShape shape = slab_shape(size_class, slabs_before);
  Slab* const slab = take_description();
  if (!slab) return nullptr;
  auto* const records = static_cast<BlockRecord*>(take_own(shape.blocks * sizeof(BlockRecord)));
  const PageRun run = records ? arena.take(shape.pages) : PageRun();
  if (run.begin == 0) {
    give_own(records, shape.blocks * sizeof(BlockRecord));
    give_description(*slab);
    return nullptr;
  }
  slab->set_blocks(run.begin, static_cast<std::uint32_t>(size_of_class(size_class)), shape.blocks);
  slab->records = records;
  slab->first_free = no_place;
  slab->used = 0;
  slab->touched = 0;
  slab->size_class = static_cast<std::uint8_t>(size_class);
  slab->listed = slab->damaged = false;
  slab->zeroed = run.zeroed;
  slab->owner = &owner;
  slab->chunk = run.chunk;
  slab->pages = shape.pages;
  slab->shared.store(false, std::memory_order_relaxed);
  slab->remote.clear();
  slab->context.store(context, std::memory_order_relaxed);
  slab->sole_user.store(&owner, std::memory_order_relaxed);
  page_map.set(run.begin, shape.pages, slab);
  return slab;
}

void delete_slab(Slab& slab) noexcept {
  page_map.set(slab.begin, slab.pages, nullptr);
  slab.sole_user.store(nullptr, std::memory_order_relaxed);
  slab.context.store(0, std::memory_order_relaxed);
  give_own(slab.records, slab.blocks * sizeof(BlockRecord));
  Arena::give(*slab.chunk, slab.begin, slab.pages);
  give_description(slab);
}

void slabs_before_fork() noexcept CADASTRE_UNCHECKED { spare_mutex.lock_for_fork(); }
void slabs_after_fork() noexcept CADASTRE_UNCHECKED { spare_mutex.unlock(); }

}  // namespace cadastre::internal
