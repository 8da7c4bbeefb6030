"""Logs of robots as datasets, without ROS: rosbag 1 and 2, MCAP, MATLAB, libfranka's CSV, LabVIEW's .lvm, mc_rtc's .flat.

    from thud.logs import import_log
    found = import_log("hits.bag", robot="panda", frame="panda_foot", offset=[0, 0, 0.0223], normal=[-1, 0, 0])
    thud.write_dataset("hits.h5", found.dataset)

Bags and MATLAB files need the packages of `pip install 'thud[logs]'`. `python -m thud.logs` is the command line.
"""

from .formats import read_log as read_log
from .log import Clock as Clock, ForceSamples as ForceSamples, JointSamples as JointSamples, Log as Log, Topic as Topic
from .trials import (
    Impact as Impact,
    Imported as Imported,
    LeftOut as LeftOut,
    Source as Source,
    Taken as Taken,
    import_log as import_log,
)
