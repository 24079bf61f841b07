import { t } from '@lingui/core/macro'
import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Suspense } from 'react'
import { lateToDeny, type Payment } from '#domain/payments.ts'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { useNow } from '#ui/use-now.ts'
import { DenyDialog } from './lazy-dialogs.ts'
import { usePaymentStep } from './payments.mutations.ts'

/** Lets the receiver deny a payment even after it counts as received because they did not answer in time. */
export function LateDenial({ payment, userId }: { payment: Payment; userId: string }) {
  const [denying, deny] = useDisclosure()
  const tell = usePaymentStep(deny.close)
  const isOwner = payment.ownerId === userId
  const claim = lateToDeny(payment, isOwner ? 'payment' : 'repayment', useNow())
  if (!claim) return null
  return (
    <SurfaceCard mb="lg">
      <Group justify="space-between" gap="sm">
        <Text flex="1 1 220px">
          {isOwner
            ? t`This payment counts as received, because you didn’t answer.`
            : t`What ${payment.ownerName} owed you counts as paid back, because you didn’t answer.`}
        </Text>
        <Button variant="default" onClick={deny.open}>
          {t`Not received`}
        </Button>
      </Group>
      {denying && (
        <Suspense>
          <DenyDialog
            name={isOwner ? payment.memberName : payment.ownerName}
            amount={claim.amount}
            currency={payment.currency}
            late
            busy={tell.isPending}
            onConfirm={(note) =>
              tell.mutate({ payment, step: isOwner ? 'deny' : 'deny-repayment', note, late: true })
            }
            onClose={deny.close}
          />
        </Suspense>
      )}
    </SurfaceCard>
  )
}
