import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Code, PasswordInput, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { type ImportedRow, Unreadable } from '#domain/imports/row.ts'
import { saveFile } from '#lib/save-file.ts'
import { FileDrop } from '#ui/FileDrop.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { explain, toastError } from '#ui/toasts.ts'
import { useAskWallos } from './imports.ts'
import { SOURCES, type Source } from './source-names.ts'
import { readFiles, readTexts, sources } from './sources.ts'

interface SourceCardProps {
  source: Source
  onSource: (source: Source) => void
  onRows: (rows: ImportedRow[]) => void
}

/** Lets the person choose the source of an import, explains how to get its file, and reads the file. */
export function SourceCard({ source, onSource, onRows }: SourceCardProps) {
  const { how, accept } = sources[source]
  const take = (rows: Promise<ImportedRow[]>) =>
    rows.then(onRows, (problem: unknown) =>
      problem instanceof Unreadable
        ? toastError(t`This file can’t be used`, problem.message)
        : explain(problem, t`The file could not be read. Please try again.`),
    )
  return (
    <SectionCard titleId="source-title" title={t`Where do they come from?`}>
      <SegmentedControl
        aria-labelledby="source-title"
        fullWidth
        value={source}
        onChange={onSource}
        data={SOURCES.map((value) => ({ value, label: sources[value].name }))}
      />
      {source === 'wallos' && (
        <WallosFields onAnswers={(answers) => void take(readTexts('wallos', answers))} />
      )}
      <Text>{how}</Text>
      {source === 'wallos' && (
        <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {
            '…/api/subscriptions/get_subscriptions.php?api_key=…\n…/api/currencies/get_currencies.php?api_key=…'
          }
        </Code>
      )}
      {source === 'table' && (
        <div>
          <Button
            variant="default"
            leftSection={<IconDownload size={18} aria-hidden />}
            onClick={() => void saveTemplate()}
          >
            {t`Download the table`}
          </Button>
        </div>
      )}
      <FileDrop
        label={source === 'wallos' ? t`Choose both files` : t`Choose a file`}
        hint={t`Or drop it here. It is read in your browser.`}
        accept={accept}
        multiple={source === 'wallos'}
        onFiles={(files) => void take(readFiles(source, files))}
      />
    </SectionCard>
  )
}

const saveTemplate = async () => {
  const { template } = await import('#domain/imports/tables.ts')
  saveFile('potluck-plans.csv', 'text/csv;charset=utf-8', template())
}

/** Asks for the URL and API key of a Wallos server on the public internet, and reads its subscriptions. */
function WallosFields({ onAnswers }: { onAnswers: (answers: string[]) => void }) {
  const [address, setAddress] = useState('')
  const [key, setKey] = useState('')
  const ask = useAskWallos(onAnswers)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    ask.mutate({ address: address.trim(), key: key.trim() })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text>
          <Trans>If your Wallos is on the internet, we read it once. We don’t keep the key.</Trans>
        </Text>
        <TextInput
          label={t`Address`}
          type="url"
          placeholder="https://wallos.example.org"
          value={address}
          onChange={({ currentTarget: { value } }) => setAddress(value)}
        />
        <PasswordInput
          label={t`API key`}
          description={t`In Wallos, under Profile.`}
          autoComplete="off"
          value={key}
          onChange={({ currentTarget: { value } }) => setKey(value)}
        />
        <div>
          <Button type="submit" loading={ask.isPending} disabled={address.trim() === '' || key.trim() === ''}>
            {t`Read from Wallos`}
          </Button>
        </div>
      </Stack>
    </form>
  )
}
