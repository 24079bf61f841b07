import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Checkbox, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { formatMoney } from '#domain/money.ts'
import type { Plan } from '#domain/plan.ts'
import type { PlanSeat } from '#domain/seats.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { useOfferPlan } from './handover.ts'

interface HandOverDialogProps {
  plan: Plan
  /** The members who can take the plan over. */
  people: readonly PlanSeat[]
  opened: boolean
  onClose: () => void
}

/** Asks the owner to whom they hand the plan over, and when. */
export function HandOverDialog({ plan, people, opened, onClose }: HandOverDialogProps) {
  const [picked, setPicked] = useState<string | null>(null)
  const [atOnce, setAtOnce] = useState(false)
  const offer = useOfferPlan(plan.id, onClose)
  const chosen = people.find(({ memberId }) => memberId === picked) ?? people[0]
  if (!chosen) return null
  const { memberName } = chosen
  const share = formatMoney(chosen.memberPrice, plan.currency)
  return (
    <ConfirmDialog
      opened={opened}
      title={t`Hand over the plan`}
      confirmLabel={t`Offer the plan`}
      busy={offer.isPending}
      onConfirm={() => offer.mutate({ personId: chosen.memberId, atOnce })}
      onClose={onClose}
    >
      <Stack gap="md">
        <Radio.Group label={t`New owner`} value={chosen.memberId} onChange={setPicked}>
          <Stack gap="xs" mt="xs">
            {people.map((seat) => (
              <Radio key={seat.id} value={seat.memberId} label={seat.memberName} />
            ))}
          </Stack>
        </Radio.Group>
        <Checkbox
          label={t`As soon as ${memberName} accepts`}
          description={t`Otherwise on the plan’s next renewal day.`}
          checked={atOnce}
          onChange={({ currentTarget }) => setAtOnce(currentTarget.checked)}
        />
        <Text>
          <Trans>
            From then on members pay {memberName}, and you pay {share} for your place. What is due until then
            is still owed to you.
          </Trans>
        </Text>
        <Text>
          {t`The login is deleted, your chats are archived, and open invitations and requests end. People without an account get new links from ${memberName}.`}
        </Text>
      </Stack>
    </ConfirmDialog>
  )
}
