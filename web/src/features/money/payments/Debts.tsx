import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatMoney } from '#domain/money.ts'
import { LinkButton } from '#ui/links.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { debtsQuery } from './debts.queries.ts'
import { usePayDebt } from './payments.mutations.ts'

/** A person's debts to the site, each payable by coins or card; renders nothing without debts. */
export function Debts({ userId }: { userId: string }) {
  const { data: debts = [] } = useQuery(debtsQuery(userId))
  const pay = usePayDebt(userId)
  return debts.map(({ id, planName, open }) => (
    <SurfaceCard key={id} component="section" aria-labelledby={`debt-${id}`} mb="lg">
      <Stack gap="sm">
        <Title order={2} size="h4" id={`debt-${id}`}>
          <Trans>
            You owe us {formatMoney(open)} for{' '}
            <Text span inherit dir="auto">
              {planName}
            </Text>
          </Trans>
        </Title>
        <Text>
          {t`Your bank took back a debit that we had refunded. Until you’ve paid this, you can’t withdraw coins or take a new place through the site.`}
        </Text>
        <Group gap="sm">
          <LinkButton to="/pay/$paymentId" params={{ paymentId: id }} search={{}}>
            {t`Pay with a card`}
          </LinkButton>
          <Button variant="default" loading={pay.isPending} onClick={() => pay.mutate(id)}>
            {t`Pay with coins`}
          </Button>
        </Group>
      </Stack>
    </SurfaceCard>
  ))
}
