import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAlertTriangle, IconCheck, IconCloudOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { formatMoney } from '#domain/money.ts'
import { paymentLine } from '#domain/payment-words.ts'
import { claimOf, type Payment, wasDenied } from '#domain/payments.ts'
import { Loaded } from '#ui/Loaded.tsx'
import { useMainButton } from '#ui/leads.ts'
import { PersonLink } from '#ui/PersonLink.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { useNow } from '#ui/use-now.ts'
import { useScrolledTo } from '#ui/use-scrolled-to.ts'
import { HowToPay } from './HowToPay.tsx'
import { HowPaidDialog } from './lazy-dialogs.ts'
import { paymentTexts } from './payments.messages.ts'
import { usePaymentStep } from './payments.mutations.ts'
import { periodText } from './period-text.ts'
import { cancelQueuedClaim, useQueuedClaims } from './queued-claims.ts'
import { wishQuery } from './wishes.ts'

interface PayOwnerCardProps {
  payment: Payment
  /** True if the place has ended, so that the card itself must name the plan. */
  ended?: boolean
}

/** A direct payment to the owner: how to pay it, or what happens after "I’ve paid". */
export function PayOwnerCard({ payment, ended = false }: PayOwnerCardProps) {
  const wishes = useQuery(wishQuery(payment.ownerId))
  const [asking, ask] = useDisclosure()
  const tell = usePaymentStep(ask.close)
  const isPayable = payment.status === 'due' || payment.status === 'cancelled'
  const waits = useQueuedClaims().includes(payment.id) && isPayable
  const answerBy = claimOf(payment, 'payment')?.answerBy
  const isOpen = payment.payable || payment.status !== 'due'
  const { ownerName, planName, amount, currency, note, claimedAt, reference } = payment
  const sum = formatMoney(amount, currency)
  const now = useNow()
  const main = useMainButton()
  /** True if the owner or staff must answer next; nothing is to be paid now. */
  const isSaid = payment.status === 'claimed' || payment.status === 'disputed'
  const period = periodText(payment)
  const card = useScrolledTo(isSaid)
  const owner = <PersonLink userId={payment.ownerId} name={ownerName} />
  return (
    <SurfaceCard ref={card} component="section" aria-labelledby={`pay-${payment.id}`}>
      <Stack gap="md">
        <div>
          <Title order={2} size="h3" id={`pay-${payment.id}`} style={{ scrollMarginTop: 80 }}>
            {isSaid ? (
              <Trans>Your payment to {owner}</Trans>
            ) : isOpen ? (
              <Trans>Pay {owner}</Trans>
            ) : (
              <Trans>Nothing to pay yet to {owner}</Trans>
            )}
          </Title>
          <Text size="sm" c="dimmed">
            {isSaid ? (period ? t`${sum} for ${period}.` : sum) : !isOpen ? sum : period && t`For ${period}.`}
          </Text>
          {ended && (
            <>
              <Text mt="xs" fw={600}>
                {paymentLine(payment, 'member', now)}
              </Text>
              <Text mt="xs">
                {payment.leftUnpaidAt
                  ? t`You used ${planName} and left this unpaid. Until it’s paid you can’t join plans of ${ownerName}.`
                  : payment.handedOverAt
                    ? t`For ${planName}, from before it was handed over.`
                    : t`For ${planName}, which you have left.`}
              </Text>
            </>
          )}
        </div>
        {note && (
          <Alert
            color="honey"
            icon={<IconAlertTriangle aria-hidden />}
            title={t`${ownerName} hasn’t received it`}
          >
            <Text size="sm" dir="auto">
              {note}
            </Text>
          </Alert>
        )}
        <Loaded of={wishes} pending={<RowsSkeleton rows={2} />} failed={paymentTexts.wishesFailed}>
          {(wish) =>
            isOpen ? (
              <HowToPay {...{ wish, amount, currency, reference }} folded={isSaid} />
            ) : (
              <Text>
                <Trans>We’ve asked {ownerName} how to be paid. Nothing is late until then.</Trans>
              </Text>
            )
          }
        </Loaded>
        {waits ? (
          <Group gap={8} role="status">
            <IconCloudOff size={20} style={{ flex: 'none' }} aria-hidden />
            <Text flex={1} miw={200}>
              {t`“I’ve paid” is sent once you’re online.`}
            </Text>
            <Button variant="subtle" size="compact-md" onClick={() => cancelQueuedClaim(payment.id)}>
              {t`Undo`}
            </Button>
          </Group>
        ) : payment.status === 'claimed' && claimedAt ? (
          <Group gap={8} wrap="nowrap" align="flex-start" role="status">
            <IconCheck size={20} style={{ flex: 'none' }} aria-hidden />
            <Text>
              <Trans>
                You said you paid <RelativeDate date={claimedAt} />.
              </Trans>{' '}
              {answerBy && paymentTexts.countsBy(answerBy)}
            </Text>
          </Group>
        ) : payment.status === 'disputed' && answerBy ? (
          <Text role="status">{paymentTexts.decidesBy(answerBy)}</Text>
        ) : (
          isOpen && (
            <Button
              fullWidth
              variant={main}
              loading={tell.isPending}
              onClick={() =>
                wasDenied(payment, 'payment') ? ask.open() : tell.mutate({ payment, step: 'say' })
              }
            >
              {t`I’ve paid`}
            </Button>
          )
        )}
      </Stack>
      {asking && (
        <Suspense>
          <HowPaidDialog
            name={ownerName}
            busy={tell.isPending}
            onConfirm={(how) => tell.mutate({ payment, step: 'say', how })}
            onClose={ask.close}
          />
        </Suspense>
      )}
    </SurfaceCard>
  )
}
