/* What kernels need beside their own code: memory, and the functions of mathematics that WebAssembly lacks.
   numba's arrays are made and freed here; the host takes memory for arguments and rooms from the same heap. */

#include <stdint.h>

#define PAGE 65536u
#define SMALL 16 /* blocks of up to 2^16 bytes are kept by powers of two, larger ones by address */
#define EXPORT(name) __attribute__((export_name(name)))

extern unsigned char __heap_base;

typedef struct Block {
    uint32_t size; /* with this header */
    struct Block *next; /* free block */
    uint32_t padding[2]; /* contents begin at a multiple of 16 */
} Block;

static Block *small[SMALL + 1];
static Block *large; /* free blocks in the order of their addresses; neighbours are one block */
static uint32_t end; /* of what has ever been given out: everything behind it is zero */
static int fresh;

static Block *extend(uint32_t size) {
    if (!end) end = ((uint32_t)&__heap_base + 15) & ~15u;
    uint32_t have = __builtin_wasm_memory_size(0) * PAGE, need = end + size;
    if (need < end) return 0;
    if (need > have && __builtin_wasm_memory_grow(0, (need - have + PAGE - 1) / PAGE) == (uint32_t)-1) return 0;
    Block *block = (Block *)end;
    end = need;
    block->size = size;
    fresh = 1;
    return block;
}

static Block *take_large(uint32_t size) {
    for (Block **at = &large; *at; at = &(*at)->next) {
        Block *block = *at;
        if (block->size < size) continue;
        if (block->size - size > PAGE) { /* what is left is a large block, too */
            Block *rest = (Block *)((char *)block + size);
            rest->size = block->size - size;
            rest->next = block->next;
            *at = rest;
            block->size = size;
        } else {
            *at = block->next;
        }
        return block;
    }
    return extend(size);
}

/* Memory for so many bytes; 0 if there is none. */
EXPORT("allocate") void *allocate(uint32_t bytes) {
    uint32_t size = (bytes + sizeof(Block) + 15) & ~15u;
    fresh = 0;
    if (size < bytes) return 0;
    Block *block;
    if (size <= PAGE) {
        uint32_t power = 5;
        while ((1u << power) < size) power++;
        block = small[power];
        if (block) small[power] = block->next;
        else block = extend(1u << power);
    } else {
        block = take_large(size);
    }
    return block ? block + 1 : 0;
}

/* Memory of zeros: what comes from behind the end is not touched. */
EXPORT("allocate_zeros") void *allocate_zeros(uint32_t bytes) {
    void *memory = allocate(bytes);
    if (memory && !fresh) __builtin_memset(memory, 0, bytes);
    else if (memory) ((Block *)memory - 1)->next = 0;
    return memory;
}

static void merge(Block *block) {
    Block *next = block->next;
    if (next && (char *)block + block->size == (char *)next) {
        block->size += next->size;
        block->next = next->next;
    }
}

EXPORT("release") void release(void *memory) {
    Block *block = (Block *)memory - 1;
    if (block->size <= PAGE) {
        uint32_t power = 5;
        while ((1u << power) < block->size) power++;
        block->next = small[power];
        small[power] = block;
        return;
    }
    Block *before = 0, *after = large;
    while (after && after < block) before = after, after = after->next;
    block->next = after;
    merge(block);
    if (before) {
        before->next = block;
        merge(before);
    } else {
        large = block;
    }
}

/* The header of numba's arrays (NRT_MemInfo), as its own code lays it out for pointers of 32 bits. */
typedef struct {
    int64_t references;
    void *destructor, *destructor_data, *data;
    int64_t size;
} MemInfo;

MemInfo *NRT_MemInfo_alloc_aligned(int64_t size, uint32_t alignment) {
    if (size < 0 || size > 0x7fffffff || alignment > 64) return 0;
    MemInfo *info = allocate((uint32_t)size + sizeof(MemInfo) + alignment);
    if (!info) return 0;
    uint32_t mask = alignment ? alignment - 1 : 0;
    info->references = 1;
    info->destructor = info->destructor_data = 0;
    info->data = (void *)(((uint32_t)(info + 1) + mask) & ~mask);
    info->size = size;
    return info;
}

MemInfo *NRT_MemInfo_alloc(int64_t size) { return NRT_MemInfo_alloc_aligned(size, 0); }
MemInfo *NRT_MemInfo_alloc_safe_aligned(int64_t size, uint32_t alignment) { return NRT_MemInfo_alloc_aligned(size, alignment); }
void NRT_MemInfo_call_dtor(MemInfo *info) { release(info); }

/* For what an error says: it is freed by Python elsewhere, and lost here. */
void *NRT_Allocate(int64_t size) { return size < 0 || size > 0x7fffffff ? 0 : allocate((uint32_t)size); }
void NRT_Free(void *memory) { if (memory) release(memory); }

/* numba's own helper for `reshape`, for arrays without gaps; others are refused. Shapes and strides are 64 bits wide. */
int numba_attempt_nocopy_reshape(int64_t dimensions, const int64_t *shape, const int64_t *strides, int64_t new_dimensions,
                                 const int64_t *new_shape, int64_t *new_strides, int64_t item, int by_columns) {
    int64_t step = item;
    for (int64_t i = dimensions - 1; i >= 0; i--) {
        if (shape[i] != 1 && strides[i] != step) return 0;
        step *= shape[i];
    }
    if (by_columns) return 0;
    step = item;
    for (int64_t i = new_dimensions - 1; i >= 0; i--) {
        new_strides[i] = step;
        step *= new_shape[i];
    }
    return 1;
}

typedef union { double number; uint64_t bits; } Bits;

/* a * b, exactly: the product and what it lost in rounding (T. J. Dekker, 1971). */
static double product(double a, double b, double *lost) {
    const double splitter = 134217729.0; /* 2^27 + 1 */
    double high_a = splitter * a, high_b = splitter * b;
    high_a -= high_a - a;
    high_b -= high_b - b;
    double low_a = a - high_a, low_b = b - high_b, whole = a * b;
    *lost = ((high_a * high_b - whole) + high_a * low_b + low_a * high_b) + low_a * low_b;
    return whole;
}

static double power_of_two(int exponent) { /* -1022 to 1023 */
    return ((Bits){.bits = (uint64_t)(exponent + 1023) << 52}).number;
}

static const double LN2_HIGH = 0x1.62e42fefap-1; /* times any exponent it is exact */
static const double LN2_LOW = 0x1.cf79abc9e3b3ap-40;
static const double PER_LN2 = 0x1.71547652b82fep0;

/* e^x with an error of at most 0.53 units in the last place: almost always what the machine's library says. */
double exp(double x) {
    if (x != x) return x;
    if (x > 709.782712893384) return __builtin_inf();
    if (x < -745.1332191019412) return 0.0;
    double k = __builtin_floor(x * PER_LN2 + 0.5);
    double high = x - k * LN2_HIGH, low = k * LN2_LOW;
    double r = high - low, r_low = (high - r) - low;
    double square_low, square = product(r, r, &square_low);
    double tail = 1.0 / 1307674368000.0;
    static const double factorials[] = {87178291200.0, 6227020800.0, 479001600.0, 39916800.0, 3628800.0,
                                        362880.0,      40320.0,      5040.0,      720.0,      120.0, 24.0, 6.0};
    for (int i = 0; i < 12; i++) tail = tail * r + 1.0 / factorials[i];
    tail *= r * square;
    double first = 1.0 + r, first_low = r - (first - 1.0);
    double second = first + 0.5 * square, second_low = 0.5 * square - (second - first);
    double result = second + (first_low + second_low + 0.5 * square_low + r_low * first + tail);
    int whole = (int)k, half = whole / 2;
    return result * power_of_two(half) * power_of_two(whole - half);
}

/* The natural logarithm, as exact. */
double log(double x) {
    if (x != x || x == __builtin_inf()) return x;
    if (x < 0.0) return __builtin_nan("");
    if (x == 0.0) return -__builtin_inf();
    int exponent = 0;
    if (x < 0x1p-1022) x *= 0x1p54, exponent = -54;
    Bits bits = {.number = x};
    exponent += (int)(bits.bits >> 52) - 1023;
    bits.bits = (bits.bits & 0xfffffffffffffull) | 0x3ff0000000000000ull;
    double m = bits.number;
    if (m > 1.4142135623730951) m *= 0.5, exponent++;
    double f = m - 1.0, below = 2.0 + f, below_low = f - (below - 2.0);
    double s = f / below, lost, whole = product(s, below, &lost);
    double s_low = (((f - whole) - lost) - s * below_low) / below;
    double square = s * s, tail = 1.0 / 25.0;
    for (int i = 23; i >= 3; i -= 2) tail = tail * square + 1.0 / i;
    tail *= 2.0 * s * square;
    double high = exponent * LN2_HIGH, sum = high + 2.0 * s;
    double sum_low = exponent ? 2.0 * s - (sum - high) : 0.0;
    return sum + (sum_low + 2.0 * s_low + tail + exponent * LN2_LOW);
}

float expf(float x) { return (float)exp(x); }
float logf(float x) { return (float)log(x); }
