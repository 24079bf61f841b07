import { t } from '@lingui/core/macro'
import { SegmentedControl, Text, Textarea } from '@mantine/core'
import { digitsOf } from '@potluck/supabase/currency'
import { LIMITS } from '@potluck/supabase/limits'
import { useState } from 'react'
import { fullDay } from '#domain/dates.ts'
import { typedDay } from '#domain/days.ts'
import { datesInWords } from '#domain/months.ts'
import type { Plan } from '#domain/plan.ts'
import { dayOf, defaultRenewalDate } from '#domain/renewal.ts'
import { ActionForm } from '#ui/ActionForm.tsx'
import { AmountInput, type TypedAmount } from '#ui/AmountInput.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { DateInput } from '#ui/dates.ts'
import { useMakeNotice } from './notices.mutations.ts'
import type { Notice } from './notices.queries.ts'

/** Providers usually announce a pause two weeks before. */
const USUAL_DAYS = 14

const KINDS: { value: Notice['kind']; label: string }[] = [
  { value: 'price', label: t`New price` },
  { value: 'pause', label: t`Pause` },
]

interface NoticeDialogProps {
  plan: Plan
  opened: boolean
  onClose: () => void
}

/** The dialog in which an owner tells everybody in the plan about a new price or a pause. */
export function NoticeDialog({ plan, opened, onClose }: NoticeDialogProps) {
  const now = new Date()
  const today = dayOf(now)
  const [kind, setKind] = useState<Notice['kind']>('price')
  const [day, setDay] = useState<string | null>(
    dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() + USUAL_DAYS)),
  )
  const [price, setPrice] = useState<TypedAmount>('')
  const [note, setNote] = useState('')
  const make = useMakeNotice(plan.id, () => {
    setPrice('')
    setNote('')
    onClose()
  })
  const isComplete = day !== null && (kind === 'pause' || (typeof price === 'number' && price > 0))
  const close = () => make.isPending || onClose()
  return (
    <Dialog opened={opened} onClose={close} title={t`News from the provider`}>
      <ActionForm
        action={t`Tell everybody`}
        busy={make.isPending}
        disabled={!isComplete}
        onSubmit={() =>
          isComplete && make.mutate({ kind, day, price: kind === 'price' ? Number(price) : null, note })
        }
        onCancel={close}
      >
        <SegmentedControl
          data={KINDS}
          aria-label={t`What the provider does`}
          value={kind}
          onChange={(chosen) => setKind(chosen === 'pause' ? chosen : 'price')}
        />
        {kind === 'price' && (
          <AmountInput
            label={t`Price`}
            description={t`For the whole plan, in ${plan.currency}`}
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            decimals={digitsOf(plan.currency)}
            fixed
            value={price}
            onChange={setPrice}
          />
        )}
        <DateInput
          label={t`First day`}
          {...datesInWords}
          dateParser={typedDay}
          valueFormat={fullDay}
          getDayAriaLabel={fullDay}
          minDate={today}
          maxDate={defaultRenewalDate(LIMITS.furthestNoticeMonths, today)}
          value={day}
          onChange={setDay}
        />
        <Textarea
          label={t`Message to everybody (optional)`}
          autosize
          minRows={2}
          maxRows={6}
          maxLength={LIMITS.longestNotice}
          value={note}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
        <Text size="sm" c="dimmed">
          {t`It stays on the plan’s page until you end it, at most ${{ days: LIMITS.noticeDaysShown }} days after that day. What members pay doesn’t change by this.`}
        </Text>
      </ActionForm>
    </Dialog>
  )
}
