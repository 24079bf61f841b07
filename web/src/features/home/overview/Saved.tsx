import { Text } from '@mantine/core'
import { formatMoney } from '#domain/money.ts'
import { Money } from '#ui/Money.tsx'
import type { Home } from './home.queries.ts'

/** How much sharing has saved a person this year, and how that is calculated. */
export function Saved({ saved: { joined, shared } }: Pick<Home, 'saved'>) {
  return (
    <>
      <Money amount={joined + shared} fz={34} fw={700} ff="heading" lh={1.15} />
      <Text size="sm" c="dimmed">
        {[
          joined > 0 && `${formatMoney(joined)} less than your paid months would have cost you alone`,
          shared > 0 && `${formatMoney(shared)} that members have paid of your plans`,
        ]
          .filter(Boolean)
          .join(', and ')}
        .
      </Text>
    </>
  )
}
