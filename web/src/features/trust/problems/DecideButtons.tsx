import { t } from '@lingui/core/macro'
import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import type { Problem } from '#domain/problems.ts'
import { pressedBy } from '#ui/Queue.tsx'
import { ReasonDialog } from '#ui/ReasonDialog.tsx'
import { moneyText } from './problem-words.ts'
import { useProblemStep } from './problems.mutations.ts'

export const DECIDE_KEYS = [
  { key: 'w', does: t`Decide for the owner` },
  { key: 'm', does: t`Decide for the member` },
]

/** Staff's buttons to decide for one side, with a reason that both sides can read. */
export function DecideButtons({ problem }: { problem: Problem }) {
  const [side, setSide] = useState<'owner' | 'member' | null>(null)
  const close = () => setSide(null)
  const decide = useProblemStep(problem, close)
  const { ownerName, memberName } = problem
  return (
    <>
      <Group gap="sm">
        <Button variant="default" {...pressedBy('w')} onClick={() => setSide('owner')}>
          {t`Decide for the owner`}
        </Button>
        <Button variant="default" {...pressedBy('m')} onClick={() => setSide('member')}>
          {t`Decide for the member`}
        </Button>
      </Group>
      {side && (
        <ReasonDialog
          title={t`Decide for ${side === 'owner' ? ownerName : memberName}`}
          label={t`Reason`}
          confirmLabel={side === 'owner' ? t`Decide for the owner` : t`Decide for the member`}
          color="clay"
          busy={decide.isPending}
          onConfirm={(note) => decide.mutate({ step: side === 'owner' ? 'for-owner' : 'for-member', note })}
          onClose={close}
        >
          {side === 'owner'
            ? t`The report is dropped and the place goes on.`
            : t`The place ends, and ${{ money: moneyText(problem, 'staff') }}.`}{' '}
          {t`${ownerName} and ${memberName} both see your reason. This cannot be undone.`}
        </ReasonDialog>
      )}
    </>
  )
}
