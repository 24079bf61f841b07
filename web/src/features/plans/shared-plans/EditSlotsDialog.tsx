import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon, Button, Group, NumberInput, Stack, Text } from '@mantine/core'
import { IconMinus, IconPlus } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { slashCycle } from '#domain/catalogue.ts'
import { earningsNote } from '#domain/fees.ts'
import { isOwnPlan, type Plan } from '#domain/plan.ts'
import { estimateSlots, slotsRefusal } from '#domain/slots.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Money } from '#ui/Money.tsx'
import { CapacityBar } from './CapacityBar.tsx'
import classes from './EditSlotsDialog.module.css'
import { useChangeSlots } from './plans.mutations.ts'

interface EditSlotsDialogProps {
  plan: Plan
  userId: string
  opened: boolean
  onClose: () => void
}

/** Lets the owner open and close slots, and shows the owner's cost and possible earnings. */
export function EditSlotsDialog({ opened, onClose, ...form }: EditSlotsDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={t`Edit Member Slots`}>
      <EditSlotsForm {...form} onDone={onClose} />
    </Dialog>
  )
}

function EditSlotsForm({ plan, userId, onDone }: { plan: Plan; userId: string; onDone: () => void }) {
  const [slots, setSlots] = useState<number | ''>(plan.ownerMaxMembers)
  const change = useChangeSlots(plan, userId)
  const barLabel = useId()
  const chosen = slots === '' ? 0 : slots
  const refusal = slots === '' ? null : slotsRefusal(slots, plan.currentMembers, plan.providerMaxMembers)
  const { perSlotCost, earningsPerSlot, potentialEarnings } = estimateSlots(
    plan.totalPrice,
    plan.providerMaxMembers,
    chosen,
  )
  const money = { currency: plan.currency, per: slashCycle(plan.cycle) }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (slots === '' || refusal) return
        change.mutate(slots)
        onDone()
      }}
    >
      <Stack gap="lg">
        <NumberInput
          hideControls
          leftSectionWidth={48}
          rightSectionWidth={48}
          leftSection={<Step by={-1} slots={chosen} onStep={setSlots} />}
          rightSection={<Step by={1} slots={chosen} onStep={setSlots} />}
          classNames={{ input: classes.slots }}
          label={t`Places`}
          description={t`Including your own. Up to ${plan.providerMaxMembers}.`}
          step={1}
          allowDecimal={false}
          allowNegative={false}
          value={slots}
          error={refusal}
          onChange={(value) => setSlots(value === '' ? '' : Number(value))}
          data-autofocus
        />
        <div>
          <Group justify="space-between" mb={6}>
            <Text size="sm" fw={600} id={barLabel}>
              {t`Places taken`}
            </Text>
            <Text size="sm" c="dimmed">
              <Trans>
                {plan.currentMembers} of {chosen}
              </Trans>
            </Text>
          </Group>
          <CapacityBar
            places={{ currentMembers: plan.currentMembers, ownerMaxMembers: chosen }}
            size="lg"
            name={{ 'aria-labelledby': barLabel }}
          />
        </div>
        {!isOwnPlan(plan) && (
          <>
            <dl className={classes.estimates}>
              <Estimate {...money} name={t`Cost per place`} amount={perSlotCost} />
              <Estimate {...money} name={t`Your earnings per place`} amount={earningsPerSlot} />
              <Estimate {...money} name={t`Potential earnings`} amount={potentialEarnings} strong />
            </dl>
            <Text size="sm" c="dimmed">
              {t`Earnings are what you get if one place in ten stays empty.`} {earningsNote(plan.settlement)}
            </Text>
          </>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onDone}>
            {t`Cancel`}
          </Button>
          <Button type="submit" disabled={slots === '' || refusal !== null || slots === plan.ownerMaxMembers}>
            {t`Save places`}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface StepProps {
  by: 1 | -1
  slots: number
  onStep: (slots: number) => void
}

function Step({ by, slots, onStep }: StepProps) {
  return (
    <ActionIcon
      aria-label={by > 0 ? t`One more place` : t`One place fewer`}
      disabled={slots + by < 1}
      onClick={() => onStep(slots + by)}
    >
      {by > 0 ? <IconPlus size={18} /> : <IconMinus size={18} />}
    </ActionIcon>
  )
}

interface EstimateProps {
  name: string
  amount: number
  currency: string
  per: string
  strong?: boolean
}

function Estimate({ name, amount, currency, per, strong = false }: EstimateProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd data-strong={strong || undefined}>
        <Money amount={amount} currency={currency} per={per} />
      </dd>
    </div>
  )
}
