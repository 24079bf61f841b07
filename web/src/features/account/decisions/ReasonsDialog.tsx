import { t } from '@lingui/core/macro'
import { Alert, Group, NativeSelect, Text, Textarea, TextInput } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { type ReactNode, useState } from 'react'
import { ActionForm } from '#ui/ActionForm.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { useFocusReturn } from '#ui/use-focus-return.ts'
import {
  BLOCKS,
  type Block,
  GROUNDS,
  type Ground,
  type Measure,
  type Reasons,
  sayDecision,
} from './decisions.ts'

const GROUND_CHOICES = Object.entries(GROUNDS).map(([value, label]) => ({ value, label }))
const BLOCK_CHOICES = Object.entries(BLOCKS).map(([value, { label }]) => ({ value, label }))

interface ReasonsDialogProps {
  title: string
  /** The consequences of the decision, and fields of its own. */
  children: ReactNode
  confirmLabel: string
  measure: Measure
  /** The name of the plan, or of the person whom a review is about. */
  subject?: string
  /** When the measure ends (ISO); null if it has no end. */
  until?: string | null
  /** The text that is chosen first. */
  preset?: Block
  /** Leaves out the texts to choose from, because everybody reads the facts. */
  inOwnWords?: boolean
  /** False while a field in `children` is missing. */
  isComplete?: boolean
  busy: boolean
  onConfirm: (reasons: Reasons) => void
  onClose: () => void
}

/** Asks for the reasons of a decision about a person, and shows the person's statement of reasons as it will be sent. */
export function ReasonsDialog(props: ReasonsDialogProps) {
  const { title, children, confirmLabel, measure, subject = '', until = null, preset = 'own', busy } = props
  const { inOwnWords = false, isComplete = true, onConfirm, onClose } = props
  const [reasons, setReasons] = useState<Reasons>({
    ground: 'terms',
    clause: BLOCKS[preset].clause,
    block: preset,
    facts: '',
  })
  useFocusReturn()
  const { ground, clause, block, facts } = reasons
  const needsFacts = block === 'own'
  const isReady = isComplete && clause.trim() !== '' && (!needsFacts || facts.trim() !== '')
  return (
    <Dialog opened onClose={() => busy || onClose()} title={title} size="lg">
      <ActionForm
        action={confirmLabel}
        color={measure === 'warned' ? 'clay' : 'beet'}
        busy={busy}
        disabled={!isReady}
        onSubmit={() => isReady && onConfirm({ ...reasons, clause: clause.trim(), facts: facts.trim() })}
        onCancel={onClose}
      >
        <Text c="dimmed" component="div">
          {children}
        </Text>
        {!inOwnWords && (
          <NativeSelect
            label={t`What happened?`}
            data={BLOCK_CHOICES}
            value={block}
            onChange={({ currentTarget }) => {
              const chosen = currentTarget.value as Block
              setReasons({
                ...reasons,
                block: chosen,
                ground: 'terms',
                clause: BLOCKS[chosen].clause || clause,
              })
            }}
          />
        )}
        <Textarea
          label={inOwnWords ? t`Reason (everyone can see it)` : needsFacts ? t`The facts` : t`More about it`}
          autosize
          minRows={needsFacts ? 3 : 1}
          maxRows={8}
          maxLength={inOwnWords ? 300 : LIMITS.longestFacts}
          withAsterisk={needsFacts}
          value={facts}
          onChange={({ currentTarget }) => setReasons({ ...reasons, facts: currentTarget.value })}
          data-autofocus={needsFacts || undefined}
        />
        <Group grow preventGrowOverflow={false} align="flex-start">
          <NativeSelect
            label={t`Based on`}
            data={GROUND_CHOICES}
            value={ground}
            onChange={({ currentTarget }) =>
              setReasons({ ...reasons, ground: currentTarget.value as Ground })
            }
          />
          <TextInput
            label={ground === 'law' ? t`Which law` : t`Which section`}
            maxLength={LIMITS.longestClause}
            withAsterisk
            value={clause}
            onChange={({ currentTarget }) => setReasons({ ...reasons, clause: currentTarget.value })}
          />
        </Group>
        <Alert color="gray" title={t`This is what they read, in their language`}>
          <Text dir="auto" style={{ overflowWrap: 'anywhere' }}>
            {sayDecision({ measure, subject, until, ...reasons, facts: facts.trim() })}
          </Text>
        </Alert>
      </ActionForm>
    </Dialog>
  )
}
