import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { formatMoney } from '#domain/money.ts'
import type { Payment } from '#domain/payments.ts'
import { lazyPart } from '#lib/online.ts'
import { LazyDialog } from '#ui/LazyDialog.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { usePaymentStep } from './payments.mutations.ts'

const DenyDialog = lazyPart(async () => (await import('./DenyDialog.tsx')).DenyDialog)

/** A member says that they have paid; the owner says whether it has arrived. */
export function ConfirmPayment({ payment }: { payment: Payment }) {
  const tell = usePaymentStep()
  const [denying, { open, close }] = useDisclosure()
  const { id, memberId, memberName, amount, reference, claimedAt } = payment
  return (
    <SectionCard
      titleId={`confirm-${id}`}
      title={
        <>
          Has {formatMoney(amount)} from <PersonLink userId={memberId} name={memberName} /> arrived?
        </>
      }
      size="h3"
      gap="sm"
    >
      <Text component="div" c="dimmed">
        {claimedAt && (
          <>
            Sent <RelativeDate date={claimedAt} />.{' '}
          </>
        )}
        Look for {reference} on your account.
      </Text>
      <Group gap="sm">
        <Button loading={tell.isPending} onClick={() => tell.mutate({ payment, step: 'confirm' })}>
          Received
        </Button>
        <Button variant="default" disabled={tell.isPending} onClick={open}>
          Not received
        </Button>
      </Group>
      <LazyDialog opened={denying}>
        {(opened) => <DenyDialog payment={payment} opened={opened} onClose={close} />}
      </LazyDialog>
    </SectionCard>
  )
}
