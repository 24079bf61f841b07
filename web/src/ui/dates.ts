// The inputs of dates, with their style sheet, which the first pages do not need.
import '@mantine/dates/styles.layer.css'

export { Calendar, DateInput } from '@mantine/dates'
