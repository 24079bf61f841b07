import { Text } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useId, useState } from 'react'
import classes from './FileDrop.module.css'

interface FileDropProps {
  label: string
  hint: string
  /** Endings of names, separated by commas. */
  accept: string
  multiple?: boolean
  onFiles: (files: File[]) => void
}

/** A field for files, to drop them on or to press. */
export function FileDrop({ label, hint, accept, multiple = false, onFiles }: FileDropProps) {
  const id = useId()
  const [over, setOver] = useState(false)
  return (
    <div className={classes.drop} data-over={over || undefined}>
      <IconFileUpload size={32} aria-hidden />
      <Text component="label" htmlFor={id} fw={600}>
        {label}
      </Text>
      <Text size="sm" c="dimmed" id={`${id}-hint`}>
        {hint}
      </Text>
      <input
        id={id}
        type="file"
        className={classes.input}
        aria-describedby={`${id}-hint`}
        {...{ accept, multiple }}
        onDragEnter={() => setOver(true)}
        onDragLeave={() => setOver(false)}
        onDrop={() => setOver(false)}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])]
          // The same file may be chosen again once it was changed.
          currentTarget.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
    </div>
  )
}
