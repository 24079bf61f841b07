import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Text } from '@mantine/core'
import { formatMoney } from '#domain/money.ts'
import type { OwnSeat } from '#domain/seats.ts'
import { useSettleOwed } from './payments.mutations.ts'

/** What an owner owes for time without access, with a button to say it is settled; nothing if nothing is owed. */
export function OwedBack({ seat: { id, ownerName, owedBack } }: { seat: OwnSeat }) {
  const settle = useSettleOwed(id)
  if (owedBack <= 0) return null
  return (
    <Group justify="space-between" gap="sm">
      <Text flex="1 1 220px" style={{ overflowWrap: 'anywhere' }}>
        <Trans>
          <Text span fw={600}>
            {ownerName} owes you {formatMoney(owedBack)}
          </Text>{' '}
          for time without access.
        </Trans>
      </Text>
      <Button variant="default" loading={settle.isPending} onClick={() => settle.mutate()}>
        {t`Mark as paid back`}
      </Button>
    </Group>
  )
}
