import { t } from '@lingui/core/macro'
import { NativeSelect, Textarea } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { CLAIM_CHOICES, CLAIMS, type Claim } from './reports.ts'

export interface Said {
  claim: Claim | ''
  body: string
}

interface ReportFieldsProps extends Said {
  onChange: (said: Said) => void
}

/** The fields of a report: what is wrong, and what happened. */
export function ReportFields({ claim, body, onChange }: ReportFieldsProps) {
  return (
    <>
      <NativeSelect
        label={t`What’s wrong?`}
        data={CLAIM_CHOICES}
        value={claim}
        required
        onChange={({ currentTarget: { value } }) =>
          onChange({ claim: value in CLAIMS ? (value as Claim) : '', body })
        }
      />
      <Textarea
        label={t`What happened?`}
        description={t`Say it so that somebody who knows nothing about it can judge. Never share a password here.`}
        autosize
        minRows={3}
        maxRows={10}
        maxLength={LIMITS.longestCaseText}
        required
        value={body}
        onChange={({ currentTarget }) => onChange({ claim, body: currentTarget.value })}
      />
    </>
  )
}
