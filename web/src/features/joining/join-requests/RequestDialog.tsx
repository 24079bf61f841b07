import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { type FormEvent, useState } from 'react'
import { perCycle } from '#domain/catalogue.ts'
import { memberPays } from '#domain/fees.ts'
import { planName } from '#domain/plan-name.ts'
import { EMPTY_DRAFT, type RequestDraft } from '#features/money/cards/request-before-card.ts'
import { Level } from '#features/people/person/Level.tsx'
import type { Offer } from '#features/plans/browse/market.queries.ts'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Money } from '#ui/Money.tsx'
import { InstantNote, useInstant } from './InstantNote.tsx'
import { RequestCost } from './RequestCost.tsx'
import type { Draft } from './request-to-join.mutation.ts'

interface RequestDialogProps {
  /** Null keeps the dialog closed. */
  plan: Offer | null
  userId: string
  /** The values entered before an interruption. Consent is not among them: the form asks for it again. */
  initial: RequestDraft | null
  busy: boolean
  onSend: (draft: Draft) => void
  onClose: () => void
}

/** The form to request a place, with an optional message to the owner, or to take one at once on an instant plan. */
export function RequestDialog({ plan, onClose, ...form }: RequestDialogProps) {
  const close = () => {
    if (!form.busy) onClose()
  }
  return (
    <Dialog
      opened={plan !== null}
      onClose={close}
      title={plan?.instantFrom ? t`Join this plan` : t`Request to join`}
    >
      {plan && <RequestForm key={plan.id} plan={plan} {...form} onCancel={close} />}
    </Dialog>
  )
}

interface RequestFormProps extends Omit<RequestDialogProps, 'plan' | 'onClose'> {
  plan: Offer
  onCancel: () => void
}

function RequestForm({ plan, userId, initial, busy, onSend, onCancel }: RequestFormProps) {
  const [draft, setDraft] = useState<Draft>({
    ...(initial ?? EMPTY_DRAFT),
    beginsAtOnce: false,
  })
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const { message } = draft
  const instant = useInstant(plan, draft.coinsFirst)
  const atOnce = instant.answer?.refusal === null
  const sum = <Money amount={memberPays(plan)} currency={plan.currency} per={perCycle(plan.cycle)} fw={700} />
  const send = (event: FormEvent) => {
    event.preventDefault()
    onSend(draft)
  }
  return (
    <form onSubmit={send}>
      <Stack gap="md">
        <Group wrap="nowrap" gap="sm">
          <ProviderLogo provider={plan.provider} size="md" />
          <div>
            <Text fw={650} lh={1.3}>
              {plan.provider} {planName(plan.name)}
            </Text>
            <Text size="sm" c="dimmed">
              <Trans>Shared by {plan.ownerName}</Trans>
            </Text>
            <Level userId={plan.ownerId} name={plan.ownerName} />
          </div>
        </Group>
        <Text>
          {plan.settlement === 'potluck' ? (
            <Trans>You would pay {sum}, fee included.</Trans>
          ) : (
            <Trans>You would pay {sum}, no fee.</Trans>
          )}{' '}
          {!atOnce &&
            t`${plan.ownerName} has ${LIMITS.requestLifetimeHours} hours to answer and sees your name and email.`}
        </Text>
        {plan.instantFrom && (
          <InstantNote query={instant.query} from={plan.instantFrom} ownerName={plan.ownerName} />
        )}
        <RequestCost {...{ userId, plan, draft, change, atOnce }} />
        {!atOnce && (
          <Textarea
            label={t`Message (optional)`}
            description={t`${message.length} of ${LIMITS.longestJoinMessage} characters`}
            inputWrapperOrder={['label', 'input', 'description']}
            placeholder={t`Hi! I’d love to join.`}
            rows={4}
            maxLength={LIMITS.longestJoinMessage}
            value={message}
            onChange={({ currentTarget }) => change({ message: currentTarget.value })}
          />
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel} disabled={busy}>
            {t`Not now`}
          </Button>
          <Button type="submit" loading={busy} disabled={instant.isNeeded && !instant.answer}>
            {atOnce ? t`Join now` : t`Send request`}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
