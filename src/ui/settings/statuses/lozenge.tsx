import { lozengeOf, type StatusColor } from '../../../domain/statuses.ts';
import '../../checklist/row/row.css';

/** A status by its name, in its colour. */
export const Lozenge = ({ name, color }: { name: string; color: StatusColor }) => (
  <span className={`check-status check-status-${lozengeOf[color]}`} dir="auto">
    {name}
  </span>
);
