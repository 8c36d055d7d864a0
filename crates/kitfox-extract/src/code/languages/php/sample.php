<?php

declare(strict_types=1);

namespace Example\Storage;

use JsonSerializable;

/** How many values fit. */
const CAPACITY = 1024;

define('DEBUG', false);

/**
 * What every store can do.
 */
interface Store extends \Countable
{
    const NAME = 'store';

    public function get(string $key): mixed;
}

/**
 * Keeps values in memory.
 */
#[Attribute]
final class MemoryStore extends Base implements Store
{
    use Counts, Listens { count as counted; }

    private const LIMIT = 10, LOWEST = 0;

    /** @var array<string, mixed> */
    protected static $values = [], $older;
    private ?Lock $lock = null;

    public function __construct(private readonly array $entries)
    {
        $this->lock = new Lock();
    }

    /**
     * Finds a value.
     */
    #[Pure]
    public function get(string $key): mixed
    {
        return self::$values[$key] ?? null;
    }

    abstract protected static function &make();
}

trait Counts
{
    public function count(): int { return 1; }
}

enum State: string implements HasLabel
{
    case Open = 'open';
    case Closed = 'closed';

    public static function default(): self { return self::Open; }
}

// Counts what is kept.
function count_all(Store $store): int
{
    return count($store);
}

if (! function_exists('store')) {
    function store() { return new MemoryStore([]); }
}

$listener = function ($value) { return $value; };

class StoreTest extends TestCase
{
    public function testValuesAreFound(): void
    {
        $this->assertSame(1, (new MemoryStore(['a' => 1]))->get('a'));
    }
}
?>
<p>The end</p>
