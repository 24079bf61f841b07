import { Trans } from '@lingui/react/macro'
import { Text } from '@mantine/core'
import { nameOf } from './card-words.ts'
import type { SavedCard } from './cards.queries.ts'

/** The name of a saved card or bank account. */
export function CardName({ of: { exp_month: month, exp_year: year, ...saved } }: { of: SavedCard }) {
  if (saved.kind !== 'card') return nameOf(saved)
  return (
    <Trans>
      <Text span tt="capitalize" inherit>
        {saved.brand}
      </Text>{' '}
      ending {saved.last4}, until {String(month).padStart(2, '0')}/{year}
    </Trans>
  )
}
