import { t } from '@lingui/core/macro'
import { Stack, Textarea } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { paidFromCoins } from '#domain/coins.ts'
import { planName } from '#domain/plan-name.ts'
import { EMPTY_DRAFT, type RequestDraft } from '#features/money/cards/request-before-card.ts'
import { quoteQuery } from '#features/money/payments/seats.queries.ts'
import { CoinsStep } from '#features/money/wallet/CoinsStep.tsx'
import { useCoins } from '#features/money/wallet/use-coins.ts'
import type { Offer } from '#features/plans/browse/market.queries.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { InstantNote, useInstant } from './InstantNote.tsx'
import { PlaceOffer } from './PlaceOffer.tsx'
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

/**
 * The form to request a place, with an optional message to the owner, or to take one immediately on an instant plan.
 */
export function RequestDialog({ plan, onClose, ...form }: RequestDialogProps) {
  return (
    <Dialog
      opened={plan !== null}
      onClose={() => form.busy || onClose()}
      title={plan?.instantFrom ? t`Join this plan` : t`Request to join`}
    >
      {plan && <RequestForm key={plan.id} plan={plan} {...form} />}
    </Dialog>
  )
}

interface RequestFormProps extends Omit<RequestDialogProps, 'plan' | 'onClose'> {
  plan: Offer
}

function RequestForm({ plan, userId, initial, busy, onSend }: RequestFormProps) {
  const [draft, setDraft] = useState<Draft>({
    ...(initial ?? EMPTY_DRAFT),
    beginsAtOnce: false,
  })
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const { message } = draft
  const instant = useInstant(plan, draft.coinsFirst)
  const atOnce = instant.answer?.refusal === null
  const { coins } = useCoins(userId)
  const { data: quote } = useQuery(quoteQuery(plan.id))
  const available = coins?.available ?? 0
  const paid = quote?.settlement === 'potluck' ? paidFromCoins(quote.sum, available) : 0
  const send = (event: FormEvent) => {
    event.preventDefault()
    onSend(draft)
  }
  return (
    // The form itself gets the initial focus: pressing the button costs money, and a focused field would open a phone's
    // keyboard.
    <Stack component="form" gap="md" onSubmit={send} data-autofocus tabIndex={-1} style={{ outline: 'none' }}>
      {plan.instantFrom && (
        <InstantNote query={instant.query} from={plan.instantFrom} ownerName={plan.ownerName} />
      )}
      <PlaceOffer
        planId={plan.id}
        planName={`${plan.provider} ${planName(plan.name)}`}
        ownerName={plan.ownerName}
        settlement={plan.settlement}
        path={`/plans/${encodeURIComponent(plan.id)}`}
        draft={draft}
        duty={atOnce ? 'join' : 'ask'}
        covered={draft.coinsFirst && paid > 0 && paid === quote?.sum}
        coins={
          quote &&
          paid > 0 && (
            <CoinsStep
              available={available}
              paid={paid}
              sum={quote.sum}
              checked={draft.coinsFirst}
              onChange={(coinsFirst) => change({ coinsFirst })}
            />
          )
        }
        beginsAtOnce={draft.beginsAtOnce}
        onBeginsAtOnce={(beginsAtOnce) => change({ beginsAtOnce })}
        button={{ loading: busy, disabled: instant.isNeeded && !instant.answer }}
      >
        {!atOnce && (
          <Textarea
            label={t`Message (optional)`}
            description={t`${plan.ownerName} has ${LIMITS.requestLifetimeHours} hours to answer and sees your name and email.`}
            inputWrapperOrder={['label', 'input', 'description']}
            placeholder={t`Hi! I’d love to join.`}
            autosize
            minRows={1}
            maxRows={4}
            maxLength={LIMITS.longestJoinMessage}
            value={message}
            onChange={({ currentTarget }) => change({ message: currentTarget.value })}
          />
        )}
      </PlaceOffer>
    </Stack>
  )
}
