import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon, Group, NumberInput, Stack, Switch, Text } from '@mantine/core'
import { IconMinus, IconPlus } from '@tabler/icons-react'
import type { FormEvent, ReactNode } from 'react'
import type { CataloguePlan } from '#domain/catalogue.ts'
import type { Settlement } from '#domain/plan.ts'
import { privateOnlyText } from '#features/plans/catalogue/provider-rules.ts'
import classes from './Create.module.css'
import { CreateOwnerEstimate } from './CreateOwnerEstimate.tsx'
import { CreateSeats } from './CreateSeats.tsx'
import { CreateSettlement } from './CreateSettlement.tsx'
import type { Cards } from './cards.ts'
import { CREATE_FORM } from './create-wizard.ts'

interface CreateSlotsFormProps {
  plan: CataloguePlan
  slots: number
  settlement: Settlement
  cards: Cards
  feeRate: number
  isPrivate: boolean
  /** False if plans of this provider can only be private. */
  mayList: boolean
  /** The notice that no real money moves, shown with payment through the site. */
  simulation: ReactNode
  onSlots: (slots: number) => void
  onSettlement: (settlement: Settlement) => void
  onPrivate: (isPrivate: boolean) => void
  onSubmit: () => void
}

/** The second part of the last step: the number of places to offer, how members pay, and the possible earnings. */
export function CreateSlotsForm(props: CreateSlotsFormProps) {
  const { plan, slots, settlement, cards, feeRate, isPrivate, mayList, simulation } = props
  const { onSlots, onSettlement, onPrivate, onSubmit } = props
  const most = plan.maxMembers - 1
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form id={CREATE_FORM} onSubmit={submit} noValidate>
      <Stack gap="lg">
        <div>
          <Text component="label" htmlFor="open-slots" fw={550}>
            {t`Open slots`}
          </Text>
          <Text size="sm" c="dimmed" id="open-slots-hint">
            {t`Places for others, beside your own`}
          </Text>
          <Group wrap="nowrap" gap="sm" mt="sm">
            <ActionIcon
              variant="default"
              aria-label={t`One place fewer`}
              disabled={slots <= 1}
              onClick={() => onSlots(slots - 1)}
            >
              <IconMinus size={18} aria-hidden />
            </ActionIcon>
            <NumberInput
              id="open-slots"
              aria-describedby="open-slots-hint"
              classNames={{ input: classes.count }}
              hideControls
              allowDecimal={false}
              allowNegative={false}
              clampBehavior="strict"
              min={1}
              max={most}
              value={slots}
              onChange={(value) => typeof value === 'number' && onSlots(value)}
            />
            <ActionIcon
              variant="default"
              aria-label={t`One more place`}
              disabled={slots >= most}
              onClick={() => onSlots(slots + 1)}
            >
              <IconPlus size={18} aria-hidden />
            </ActionIcon>
            <Text size="sm" c="dimmed">
              <Trans>of {most}</Trans>
            </Text>
          </Group>
          <CreateSeats open={slots} all={plan.maxMembers} />
        </div>
        <CreateOwnerEstimate plan={plan} slots={slots} settlement={settlement} feeRate={feeRate} />
        <CreateSettlement
          plan={plan}
          settlement={settlement}
          cards={cards}
          feeRate={feeRate}
          onSettlement={onSettlement}
        />
        {settlement === 'potluck' && simulation}
        <Switch
          label={t`Private`}
          description={mayList ? t`Only people with the link can find this plan.` : privateOnlyText}
          checked={isPrivate}
          disabled={!mayList}
          onChange={({ currentTarget }) => onPrivate(currentTarget.checked)}
        />
      </Stack>
    </form>
  )
}
