import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconCloudOff, IconExternalLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { creditTransferText } from '#domain/credit-transfer.ts'
import { formatIban } from '#domain/iban.ts'
import type { Payment } from '#domain/payments.ts'
import type { Wish } from '#domain/wish.ts'
import { CopyField } from '#ui/CopyField.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Money } from '#ui/Money.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { QrCode } from '#ui/QrCode.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import classes from './PayOwnerCard.module.css'
import { paymentTexts } from './payments.messages.ts'
import { usePaymentStep } from './payments.mutations.ts'
import { periodText } from './period-text.ts'
import { StandingBadge } from './StandingBadge.tsx'
import { takeBack, useSaidPaid } from './said-paid.ts'
import { wishQuery } from './wishes.ts'

/** What a member has to pay the owner directly: how much, until when, and everything the transfer needs. */
export function PayOwnerCard({ payment }: { payment: Payment }) {
  const wishes = useQuery(wishQuery(payment.ownerId))
  const tell = usePaymentStep()
  const waits = useSaidPaid().includes(payment.id) && payment.status === 'due'
  const isOpen = payment.payable || payment.status !== 'due'
  const { ownerName, amount, dueAt, note, claimedAt, reference } = payment
  const period = periodText(payment)
  const owner = <PersonLink userId={payment.ownerId} name={ownerName} />
  return (
    <SurfaceCard component="section" aria-labelledby={`pay-${payment.id}`}>
      <Stack gap="md">
        <Group justify="space-between" gap="xs">
          <Title order={2} size="h3" id={`pay-${payment.id}`}>
            {isOpen ? <Trans>Pay {owner}</Trans> : <Trans>Nothing to pay yet to {owner}</Trans>}
          </Title>
          {isOpen && !waits && <StandingBadge payment={payment} />}
        </Group>
        <div>
          <Money amount={amount} fz={34} fw={700} lh={1.15} />
          <Text size="sm" c="dimmed" component="div">
            {!isOpen && period ? (
              t`Due once they tell you how, for ${period}.`
            ) : !isOpen ? (
              t`Due once they tell you how.`
            ) : period ? (
              <Trans>
                Due <RelativeDate date={dueAt} />, for {period}.
              </Trans>
            ) : (
              <Trans>
                Due <RelativeDate date={dueAt} />.
              </Trans>
            )}{' '}
            {t`No fee.`}
          </Text>
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
              <HowToPay wish={wish} amount={amount} reference={reference} />
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
            <Button variant="subtle" size="compact-md" onClick={() => takeBack(payment.id)}>
              {t`Undo`}
            </Button>
          </Group>
        ) : payment.status === 'claimed' && claimedAt ? (
          <Group gap={8} wrap="nowrap" align="flex-start" role="status">
            <IconCheck size={20} style={{ flex: 'none' }} aria-hidden />
            <Text>
              <Trans>
                You said you paid <RelativeDate date={claimedAt} />. {ownerName} confirms it when it arrives.
              </Trans>
            </Text>
          </Group>
        ) : (
          isOpen && (
            <Button fullWidth loading={tell.isPending} onClick={() => tell.mutate({ payment, step: 'say' })}>
              {t`I’ve paid`}
            </Button>
          )
        )}
      </Stack>
    </SurfaceCard>
  )
}

function HowToPay({ wish, amount, reference }: { wish: Wish | null; amount: number; reference: string }) {
  const code = wish?.kind === 'iban' ? creditTransferText({ ...wish, amount, reference }) : null
  return (
    <div className={classes.how}>
      <div className={classes.fields}>
        {wish?.kind === 'text' && (
          <Text style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }} dir="auto">
            {wish.note}
          </Text>
        )}
        {wish?.kind === 'link' && (
          <Button
            component="a"
            href={wish.link}
            target="_blank"
            rel="noopener noreferrer nofollow"
            variant="default"
            rightSection={<IconExternalLink size={18} aria-hidden />}
          >
            {t`Open payment page`}
          </Button>
        )}
        {wish?.kind === 'iban' && (
          <>
            <CopyField label={t`Name`} value={wish.holder} />
            <CopyField label="IBAN" value={wish.iban} shown={formatIban(wish.iban)} />
          </>
        )}
        <CopyField label={t`Amount`} value={amount.toFixed(2)} shown={`${amount.toFixed(2)} EUR`} />
        <CopyField label={t`Reference`} value={reference} />
      </div>
      {code && (
        <div className={classes.code}>
          <QrCode text={code} label={t`QR code for a transfer with your bank’s app`} />
          <Text size="sm" c="dimmed" ta="center">
            {t`Scan it with your bank’s app.`}
          </Text>
        </div>
      )}
    </div>
  )
}
