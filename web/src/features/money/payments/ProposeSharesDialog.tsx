import { t } from '@lingui/core/macro'
import { Button, Group, SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { digitsOf } from '@potluck/supabase/currency'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { priceEach } from '#domain/catalogue.ts'
import { formatMoney } from '#domain/money.ts'
import type { Plan, ShareRule } from '#domain/plan.ts'
import type { PlanSeat } from '#domain/seats.ts'
import { type Division, dividePrice } from '#domain/shares.ts'
import { AmountInput, type TypedAmount } from '#ui/AmountInput.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import classes from './ProposeSharesDialog.module.css'
import { paymentTexts } from './payments.messages.ts'
import { useProposeShares } from './payments.mutations.ts'
import { planSeatsQuery } from './seats.queries.ts'

interface ProposeSharesDialogProps {
  plan: Plan
  /** The price that the form begins with. */
  price: number
  opened: boolean
  onClose: () => void
}

/**
 * The dialog in which the owner of an own plan says what it costs and who pays how much. A lower share applies at once,
 * a higher one to members who accept it.
 */
export function ProposeSharesDialog({ plan, price, opened, onClose }: ProposeSharesDialogProps) {
  const seats = useQuery(planSeatsQuery(plan.id))
  const propose = useProposeShares(plan, onClose)
  const close = () => propose.isPending || onClose()
  return (
    <Dialog opened={opened} onClose={close} title={t`Divide the price`}>
      <Loaded of={seats} rows={3} failed={paymentTexts.seatsFailed}>
        {(all) => (
          <SharesForm
            plan={{ ...plan, totalPrice: price }}
            seats={all.filter(({ status }) => status !== 'ended')}
            busy={propose.isPending}
            onSend={(division) => propose.mutate(division)}
            onCancel={close}
          />
        )}
      </Loaded>
    </Dialog>
  )
}

const RULES: { value: ShareRule; label: string }[] = [
  { value: 'equal', label: t`Equally` },
  { value: 'amount', label: t`Amounts` },
  { value: 'percent', label: t`Percent` },
]

interface SharesFormProps {
  plan: Plan
  seats: readonly PlanSeat[]
  busy: boolean
  onSend: (division: Division) => void
  onCancel: () => void
}

interface TypedPart {
  part: TypedAmount
  carriedBy: string | null
}

function SharesForm({ plan, seats, busy, onSend, onCancel }: SharesFormProps) {
  const [price, setPrice] = useState<TypedAmount>(plan.totalPrice)
  const [rule, setRule] = useState(plan.shareRule)
  const [typed, setTyped] = useState<Record<string, TypedPart>>(() =>
    Object.fromEntries(
      seats.map(({ id, part, carriedBy, memberPrice }) => [id, { part: part ?? memberPrice, carriedBy }]),
    ),
  )
  const parts = Object.fromEntries(
    Object.entries(typed).map(([id, { part, carriedBy }]) => [id, { part: Number(part), carriedBy }]),
  )
  const isComplete =
    typeof price === 'number' && price > 0 && Object.values(parts).every(({ part }) => part >= 0)
  const divided = isComplete ? dividePrice(plan, { rule, price, parts }) : null
  const choose = (chosen: ShareRule) => {
    setRule(chosen)
    const start = chosen === 'percent' ? Math.floor(10_000 / plan.providerMaxMembers) / 100 : null
    setTyped((now) =>
      Object.fromEntries(
        seats.map(({ id, memberPrice }) => [
          id,
          { part: start ?? memberPrice, carriedBy: now[id]?.carriedBy ?? null },
        ]),
      ),
    )
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (isComplete) onSend({ price, rule, parts })
  }
  return (
    <Stack gap="md" component="form" onSubmit={send}>
      <AmountInput
        label={t`Price`}
        description={t`For the whole plan, in ${plan.currency}`}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        decimals={digitsOf(plan.currency)}
        fixed
        value={price}
        onChange={setPrice}
        data-autofocus
      />
      <SegmentedControl
        data={RULES}
        aria-label={t`How it is divided`}
        value={rule}
        onChange={(chosen) => choose(RULES.find(({ value }) => value === chosen)?.value ?? 'equal')}
      />
      <ul className={classes.members}>
        {seats.map(({ id, memberName }) => (
          <MemberPart
            key={id}
            name={memberName}
            rule={rule}
            currency={plan.currency}
            typed={typed[id] ?? { part: 0, carriedBy: null }}
            share={divided?.shares[id]}
            others={seats.filter((other) => other.id !== id && !typed[other.id]?.carriedBy)}
            carries={Object.values(typed).some(({ carriedBy }) => carriedBy === id)}
            onChange={(part) => setTyped((now) => ({ ...now, [id]: part }))}
          />
        ))}
      </ul>
      {divided && (
        <Text role="status" fw={600} {...(divided.rest < 0 && { c: 'beet' })}>
          {divided.rest < 0
            ? t`That is ${formatMoney(-divided.rest, plan.currency)} more than the price.`
            : t`You pay ${{ rest: priceEach(formatMoney(divided.rest, plan.currency), plan.cycle) }}.`}
        </Text>
      )}
      <Text size="sm">
        {t`A lower share applies from the next payment on. For a higher one we ask each member; those who don’t accept keep the old share.`}
      </Text>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onCancel} disabled={busy}>
          {t`Cancel`}
        </Button>
        <Button type="submit" loading={busy} disabled={!divided || divided.rest < 0}>
          {t`Save`}
        </Button>
      </Group>
    </Stack>
  )
}

interface MemberPartProps {
  name: string
  rule: ShareRule
  currency: string
  typed: TypedPart
  share: number | undefined
  /** The members who can pay for this one. */
  others: readonly PlanSeat[]
  /** True if this member pays for others, so that nobody can pay for them. */
  carries: boolean
  onChange: (part: TypedPart) => void
}

function MemberPart({ name, rule, currency, typed, share, others, carries, onChange }: MemberPartProps) {
  return (
    <li className={classes.member}>
      <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
      <Text style={{ whiteSpace: 'nowrap' }}>{share === undefined ? '…' : formatMoney(share, currency)}</Text>
      {rule !== 'equal' && (
        <AmountInput
          aria-label={rule === 'amount' ? t`Amount of ${name}` : t`Percentage of ${name}`}
          rightSection={rule === 'percent' ? '%' : currency}
          rightSectionWidth={48}
          decimals={rule === 'percent' ? 2 : digitsOf(currency)}
          fixed={rule === 'amount'}
          value={typed.part}
          onChange={(part) => onChange({ ...typed, part })}
        />
      )}
      {!carries && others.length > 0 && (
        <Select
          aria-label={t`Who pays for ${name}`}
          data={[
            { value: '', label: t`Pays themselves` },
            ...others.map((other) => ({
              value: other.id,
              label: t`${{ payer: other.memberName }} pays for them`,
            })),
          ]}
          allowDeselect={false}
          value={typed.carriedBy ?? ''}
          onChange={(payer) => onChange({ ...typed, carriedBy: payer || null })}
        />
      )}
    </li>
  )
}
