import { plural, t } from '@lingui/core/macro'
import { Button, Group, Select } from '@mantine/core'
import { useState } from 'react'
import { pressedBy } from '#ui/Queue.tsx'
import { ReasonDialog } from '#ui/ReasonDialog.tsx'
import { reportTexts } from './reports.messages.ts'
import { useCloseReport } from './reports.mutations.ts'
import type { PersonReport, ReportDecision } from './reports.queries.ts'

export const REPORT_HOTKEYS = [
  { key: 'w', does: t`Warn` },
  { key: 'h', does: t`Hide a plan` },
  { key: 's', does: t`Suspend` },
  { key: 'c', does: t`Close without action` },
]

interface ReportActionsProps {
  report: PersonReport
  maySuspend: boolean
}

/** Buttons for the decisions about an open report. Each asks for the reason. */
export function ReportActions({ report, maySuspend }: ReportActionsProps) {
  const [decision, setDecision] = useState<ReportDecision | null>(null)
  const mayHide = report.plans.some(({ status }) => status === 'active')
  const actions: [ReportDecision, label: string, key: string][] = [
    ['warned', t`Warn`, 'w'],
    ...(mayHide ? [['plan-hidden', t`Hide a plan`, 'h'] as [ReportDecision, string, string]] : []),
    ...(maySuspend ? [['suspended', t`Suspend`, 's'] as [ReportDecision, string, string]] : []),
    ['none', t`Close without action`, 'c'],
  ]
  return (
    <>
      <Group gap="xs">
        {actions.map(([one, label, key]) => (
          <Button key={one} variant="default" {...pressedBy(key)} onClick={() => setDecision(one)}>
            {label}
          </Button>
        ))}
      </Group>
      {decision && <DecisionDialog report={report} decision={decision} onClose={() => setDecision(null)} />}
    </>
  )
}

/** In days; an empty string means no end. */
const LENGTHS = [
  ...[3, 30].map((count) => ({
    value: String(count),
    label: plural(count, { one: '# day', other: '# days' }),
  })),
  { value: '', label: t`For good` },
]

interface DecisionDialogProps {
  report: PersonReport
  decision: ReportDecision
  onClose: () => void
}

function DecisionDialog({ report, decision, onClose }: DecisionDialogProps) {
  const { personName: name, reporterName } = report
  const plans = report.plans.filter(({ status }) => status === 'active')
  const [planId, setPlanId] = useState(plans[0]?.id ?? null)
  const [days, setDays] = useState('3')
  const send = useCloseReport(report.id, onClose)
  const words = {
    none: [t`Close the report about ${name}?`, t`Close report`],
    warned: [t`Warn ${name}?`, t`Send warning`],
    'plan-hidden': [t`Hide a plan of ${name}?`, t`Hide plan`],
    suspended: [t`Suspend ${name}?`, t`Suspend`],
  } satisfies Record<ReportDecision, [string, string]>
  const [title, action] = words[decision]
  return (
    <ReasonDialog
      title={title}
      label={decision === 'none' ? t`What did you find?` : t`Reason, as ${name} will read it`}
      confirmLabel={action}
      color={decision === 'none' || decision === 'warned' ? 'clay' : 'beet'}
      busy={send.isPending}
      onConfirm={(finding) =>
        send.mutate({
          finding,
          decision,
          ...(decision === 'plan-hidden' && { planId }),
          ...(decision === 'suspended' && { days: days === '' ? null : Number(days) }),
        })
      }
      onClose={onClose}
    >
      {reportTexts.effects[decision](name)}{' '}
      {reporterName && t`We tell ${reporterName} that you looked at it.`}
      {decision === 'plan-hidden' && (
        <Select
          label={t`Plan`}
          mt="sm"
          data={plans.map((plan) => ({ value: plan.id, label: plan.name }))}
          value={planId}
          allowDeselect={false}
          onChange={setPlanId}
        />
      )}
      {decision === 'suspended' && (
        <Select
          label={t`For how long`}
          mt="sm"
          data={LENGTHS}
          value={days}
          allowDeselect={false}
          onChange={(chosen) => setDays(chosen ?? '')}
        />
      )}
    </ReasonDialog>
  )
}
